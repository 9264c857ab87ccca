import { phrase, type Phrase, silent } from "../../phrase.ts";

const added = (file: string): string => `*** Begin Patch\n*** Add File: ${file}\n+hello\n*** End Patch`;
const updated = (file: string): string =>
  `*** Begin Patch\n*** Update File: ${file}\n@@\n context\n-before\n+after\n*** End Patch`;
const unified = (file: string): string => `--- a/${file}\n+++ b/${file}\n@@ -1 +1 @@\n-one\n+two`;

/** The family has one operation: its calls name none. */
export const patches: readonly Phrase[] = [
  phrase(`please apply the patch below:\n${added("new.txt")}`, "patch", { patch: added("new.txt") }),
  phrase(`apply the following patch\n${updated("main.ts")}`, "patch", { patch: updated("main.ts") }),
  phrase(`use this patch in lib:\n${updated("io.ts")}`, "patch", {
    patch: updated("io.ts"),
    target_directory: "lib",
  }),
  phrase(`apply this diff in packages/core:\n${unified("index.ts")}`, "patch", {
    patch: unified("index.ts"),
    target_directory: "packages/core",
  }),
  phrase(`does this patch fit?\n${updated("a.c")}`, "patch", { patch: updated("a.c"), dry_run: true }),
  phrase(`will the following diff apply?\n${unified("b.c")}`, "patch", {
    patch: unified("b.c"),
    dry_run: true,
  }),
  phrase(`dry run of this patch: ${added("x.md")}`, "patch", { patch: added("x.md"), dry_run: true }),
  phrase(`check whether this patch applies: ${updated("y.md")}`, "patch", {
    patch: updated("y.md"),
    dry_run: true,
  }),
  phrase(
    `patch my files with\n\`\`\`diff\n${unified("z.py")}\n\`\`\``,
    "patch",
    { patch: unified("z.py") },
    { patch: `${unified("z.py")}\n` },
  ),
  phrase(`Apply this patch for me, please.\n\n${updated("src/app.go")}`, "patch", {
    patch: updated("src/app.go"),
  }),
  silent("how do I apply a patch?"),
  silent("what is a unified diff?"),
  silent(`don't apply this patch: ${added("no.txt")}`),
  silent(`what would this patch do? ${updated("q.txt")}`),
  silent("she patched the roof"),
  silent("apply sunscreen before you go out"),
  silent("apply the patch"),
  silent("what if I applied that patch tomorrow?"),
];
