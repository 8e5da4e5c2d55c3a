/**
 * A page that indexes one's own text files in the browser, and answers questions about them by passages, the sentence that
 * matters and the path that led to it:
 *
 *     npm run example -- browser
 */
import { proxy, wrap } from "comlink";
import { isDocument } from "@trigraph/console/documents";
import type { Library, OnProgress } from "./library.js";
import { showAnswers } from "./answers.js";

const EXAMPLES = [
  "Why did John Middleton Murry's wife die?",
  "Are Vasilyevsky Island and Preobrazheniya Island located in the same country?",
];

const library = wrap<Library>(new Worker(new URL("./library.ts", import.meta.url), { type: "module" }));

const find = <E extends HTMLElement>(selector: string) => document.querySelector<E>(selector)!;
const [status, problem, found] = [find("#status"), find("#problem"), find("#found")];
const files = find<HTMLInputElement>("#files");
const question = find<HTMLInputElement>("#question");
const progress = find<HTMLProgressElement>("#progress");
const answers = find<HTMLOListElement>("#answers");
const examples = find<HTMLUListElement>("#examples");
const drop = find("#drop");

let isBusy = true;

/** One thing at a time; what goes wrong is told on the page. */
async function run(act: () => Promise<void>): Promise<void> {
  setBusy(true);
  problem.textContent = "";
  try {
    await act();
  } catch (error) {
    problem.textContent = error instanceof Error ? error.message : String(error);
  } finally {
    progress.hidden = true;
    setBusy(false);
  }
}

function setBusy(value: boolean): void {
  isBusy = value;
  // A field that is disabled would lose the focus.
  for (const control of document.querySelectorAll<HTMLInputElement | HTMLButtonElement>("input, button")) {
    if (control === question) control.readOnly = value;
    else if (control.type !== "submit") control.disabled = value;
  }
}

function tellSize(passages: number): void {
  const count = passages === 1 ? "1 passage" : `${passages} passages`;
  status.textContent = passages === 0 ? "No texts yet." : `${count}, kept in this browser.`;
}

function add(what: string, act: (onProgress: OnProgress) => Promise<number>): Promise<void> {
  return run(async () => {
    status.textContent = `Indexing ${what} …`;
    progress.removeAttribute("value");
    progress.hidden = false;
    const onProgress: OnProgress = (share) => {
      if (share !== undefined) progress.value = share;
    };
    tellSize(await act(proxy(onProgress)));
  });
}

function addFiles(list: FileList | undefined): void {
  const chosen = [...(list ?? [])];
  const documents = chosen.filter(({ name }) => isDocument(name));
  if (documents.length === 0) {
    problem.textContent = chosen.length === 0 ? "" : "None of these is a .txt or .md file.";
    return;
  }
  void add(documents.length === 1 ? documents[0].name : `${documents.length} files`, (onProgress) =>
    library.addFiles(documents, onProgress),
  );
}

function ask(text: string): void {
  if (isBusy || text.trim() === "") return;
  void run(async () => {
    const hits = await library.ask(text);
    showAnswers(answers, hits);
    found.textContent =
      hits.length === 0
        ? "No passages to answer from."
        : hits.length === 1
          ? "The only passage:"
          : `The ${hits.length} best passages:`;
  });
}

files.addEventListener("change", () => {
  addFiles(files.files ?? undefined);
  files.value = "";
});
drop.addEventListener("dragover", (event) => {
  event.preventDefault();
  drop.classList.add("over");
});
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  if (!isBusy) addFiles(event.dataTransfer?.files);
});
find("#sample").addEventListener("click", () => {
  void add("the sample", (onProgress) => library.addSample(onProgress)).then(() => (examples.hidden = false));
});
find("#clear").addEventListener("click", () => {
  void run(async () => {
    await library.clear();
    tellSize(0);
    found.textContent = "";
    showAnswers(answers, []);
    examples.hidden = true;
  });
});
find<HTMLFormElement>("#form").addEventListener("submit", (event) => {
  event.preventDefault();
  ask(question.value);
});
for (const text of EXAMPLES) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.addEventListener("click", () => {
    question.value = text;
    ask(text);
  });
  const item = document.createElement("li");
  item.append(button);
  examples.append(item);
}

await run(async () => {
  status.textContent = "Opening …";
  tellSize(await library.open());
});
