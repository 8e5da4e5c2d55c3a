"""Executes notebooks from clean and stores their outputs.

    python3 scripts/execute.py FOLDER [NOTEBOOK ...]

Each notebook (default: all beside this folder) is read without its outputs, run by the workspace's own Deno in this
folder, and written to FOLDER under its own name. What differs from run to run is left out: times, and the kernel's
version. Ends with 1 at the first cell that fails, whose error is in the message.
"""

import json
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent.parent

# Of one cell, in seconds: to end what hangs, not to tell what is slow.
TIMEOUT = 300

# Shows something, in the way that cells show what they return.
FENCE = 'await Deno.jupyter.display({ "text/plain": "" }, { raw: true })'


def main() -> None:
    folder, *names = sys.argv[1:] or sys.exit(__doc__)
    target = pathlib.Path(folder).resolve()
    target.mkdir(parents=True, exist_ok=True)
    sources = [HERE / name for name in names] or sorted(HERE.glob("*.ipynb"))
    with tempfile.TemporaryDirectory() as jupyter:
        install_kernel(pathlib.Path(jupyter))
        for source in sources:
            execute(source, target / source.name)


def install_kernel(jupyter: pathlib.Path) -> None:
    """Has Jupyter find a kernel "deno" for this process alone: none of the user's is asked for or replaced."""
    os.environ.update(JUPYTER_PATH=str(jupyter), JUPYTER_DATA_DIR=str(jupyter), JUPYTER_RUNTIME_DIR=str(jupyter))
    kernel = jupyter / "kernels" / "deno"
    kernel.mkdir(parents=True)
    deno = HERE / "node_modules" / ".bin" / "deno"
    # An update check would ask the network, a cache of its own would stay in the user's home.
    environment = {"DENO_NO_UPDATE_CHECK": "1", "DENO_DIR": str(jupyter / "deno"), "NO_COLOR": "1"}
    specification = {
        "argv": [str(deno), "jupyter", "--kernel", "--conn", "{connection_file}"],
        "display_name": "Deno",
        "language": "typescript",
        "env": environment,
    }
    (kernel / "kernel.json").write_text(json.dumps(specification), "utf-8")


def execute(source: pathlib.Path, target: pathlib.Path) -> None:
    # Jupyter reads its folders when it is imported.
    import nbformat
    from jupyter_core.utils import ensure_async
    from nbclient import NotebookClient

    async def settle(cell, cell_index, execute_reply) -> None:
        """Deno may call a cell done before its outputs are sent. They are before those of the next execution."""
        executed = execute_reply["parent_header"]["msg_id"]
        fence = await ensure_async(client.kc.execute(FENCE, store_history=False))
        while True:
            message = await ensure_async(client.kc.get_iopub_msg(timeout=TIMEOUT))
            parent = message["parent_header"].get("msg_id")
            if parent == executed:
                client.process_message(message, cell, cell_index)
            elif parent == fence and message["msg_type"] == "display_data":
                return

    notebook = nbformat.read(source, as_version=4)
    clear(notebook)
    client = NotebookClient(
        notebook,
        timeout=TIMEOUT,
        kernel_name="deno",
        resources={"metadata": {"path": str(HERE)}},
        record_timing=False,
        # Two pieces of one output may come as one message or as two.
        coalesce_streams=True,
        on_cell_executed=settle,
    )
    client.execute()
    count(notebook)
    notebook.metadata = metadata()
    target.write_text(nbformat.writes(notebook, indent=1).rstrip("\n") + "\n", "utf-8")


def clear(notebook) -> None:
    for cell in notebook.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.outputs = []
            cell.execution_count = None


def count(notebook) -> None:
    """Numbers the cells as a reader who runs them in order would see it."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for number, cell in enumerate(cells, 1):
        cell.execution_count = number
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = number


def metadata() -> dict:
    return {
        "kernelspec": {"display_name": "Deno", "language": "typescript", "name": "deno"},
        "language_info": {"file_extension": ".ts", "mimetype": "text/x.typescript", "name": "typescript"},
    }


main()
