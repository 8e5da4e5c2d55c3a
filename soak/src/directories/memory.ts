import { type LockHolder, MemoryDirectory } from "@trigraph/core";

export type Files = ReadonlyMap<string, Uint8Array>;

/** A folder in memory as a process sees it; whoever has a smaller number is gone. */
export class HostedDirectory extends MemoryDirectory {
  readonly identity: { readonly pid: number; readonly host: string };

  constructor(pid: number) {
    super();
    this.identity = { pid, host: "here" };
  }

  isHolderAlive(holder: LockHolder): boolean {
    return holder.host !== "here" || holder.pid === undefined || holder.pid >= this.identity.pid;
  }
}

/** A folder with these files, as a process sees it. */
export async function folderOf(files: Files, pid: number): Promise<HostedDirectory> {
  const directory = new HostedDirectory(pid);
  for (const [name, bytes] of files) await directory.write(name, [bytes]);
  return directory;
}

export async function filesOf(directory: MemoryDirectory): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const name of await directory.list()) files.set(name, await directory.read(name));
  return files;
}
