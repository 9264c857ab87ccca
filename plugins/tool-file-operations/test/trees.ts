/** A small project. */
export const tree = {
  "README.md": "# Title\nneedle here\n",
  "src/a.ts": "const x = 1;\nconst needle = x;\n",
  "src/deep/b.js": "needle();\nneedle();\n",
  "src/deep/c.TXT": "Needle\n",
  "logo.png": new Uint8Array([0x89, 0, 1, 0x6e]),
};

/** A folder with ignored files of every kind; each file holds the word `needle`. */
export const ignoring = {
  ".gitignore": "*.log\n/dist/\nsecret.txt\n!keep.log\n",
  "app.log": "needle",
  "keep.log": "needle",
  "secret.txt": "needle",
  "dist/out.js": "needle",
  "sub/dist/in.js": "needle",
  "sub/.gitignore": "own.txt\n!app.log\n",
  "sub/own.txt": "needle",
  "sub/app.log": "needle",
  ".git/config": "needle",
  "plain.txt": "needle",
};
