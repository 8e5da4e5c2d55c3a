/**
 * How the pages and workers of a site tell whether another one still lives: each holds a Web Lock of its own name, which
 * the browser takes away when it is closed, has crashed or was left.
 */
import type { PageIdentity } from "./directory.js";
import { newToken } from "./token.js";

/** Made with the first question: loading a module changes nothing. */
let identity: PageIdentity | undefined;
let announced: Promise<void> | undefined;

/** Undefined where there are no Web Locks: on pages without TLS, and in browsers before 2022. */
export function thisPage(): PageIdentity | undefined {
  if (lockManager() === undefined) return undefined;
  identity ??= { id: newToken(), url: `${location.origin}${location.pathname}` };
  return identity;
}

/** Resolves when others can see that this page lives, which they can until it ends. */
export function announcePage(): Promise<void> {
  announced ??= holdLock().catch((error: unknown) => {
    announced = undefined;
    throw error;
  });
  return announced;
}

/** Whether the page has been announced and has not ended since; true where there are no Web Locks to tell. */
export async function isPageAlive({ id }: PageIdentity): Promise<boolean> {
  const locks = lockManager();
  if (locks === undefined) return true;
  const { held = [] } = await locks.query();
  return held.some(({ name }) => name === lockName(id));
}

async function holdLock(): Promise<void> {
  const locks = lockManager();
  const page = thisPage();
  if (locks === undefined || page === undefined) return;
  await new Promise<void>((resolve, reject) => {
    const untilTheEnd = () => {
      resolve();
      return new Promise<never>(() => undefined);
    };
    locks.request(lockName(page.id), untilTheEnd).catch(reject);
  });
}

function lockName(id: string): string {
  return `trigraph-page-${id}`;
}

function lockManager(): LockManager | undefined {
  return (globalThis.navigator as Partial<Navigator> | undefined)?.locks;
}
