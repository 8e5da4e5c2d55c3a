/** Made by `page-files.ts` when the package is built. */
declare module "virtual:page-files" {
  /** The page's script with all that it needs. */
  export const script: string;
  /** "sha256-…" of the script, for a content security policy. */
  export const scriptHash: string;
  export const style: string;
  export const styleHash: string;
}
