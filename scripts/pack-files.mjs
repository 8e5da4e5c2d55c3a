// Copies the files that every published package carries from the root into the package being packed
// (its "prepack" script runs this in the package's folder). Further names are copied as well.
import { copyFileSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

if (!existsSync(join(process.cwd(), "dist"))) {
  process.stderr.write(
    "This package is not built, so its tarball would be empty. Run npm run pack at the root instead.\n",
  );
  process.exit(1);
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));

for (const name of ["LICENSE", "NOTICE", "CHANGELOG.md", ...process.argv.slice(2)]) {
  copyFileSync(join(root, name), join(process.cwd(), name));
}
