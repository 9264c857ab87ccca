import { phrase, type Phrase } from "../phrase.ts";

/** Files are changed. */
export const changingVaried: readonly Phrase[] = [
  phrase("please make me a file named groceries.txt", "create_file", { filePath: "groceries.txt" }),
  phrase('I want you to create src/version.ts with "export const version = 1;"', "create_file", {
    filePath: "src/version.ts",
    content: "export const version = 1;",
  }),
  phrase("generate a new blank file report.tex", "create_file", { filePath: "report.tex" }),
  phrase('create a.txt, the content should be "abc"', "create_file", { filePath: "a.txt", content: "abc" }),
  phrase('please overwrite the file state.json with "{}"', "write_file", {
    filePath: "state.json",
    content: "{}",
  }),
  phrase('write into log.md: "started"', "write_file", { filePath: "log.md", content: "started" }),
  phrase('can you save "x,y" to points.csv for me?', "write_file", {
    filePath: "points.csv",
    content: "x,y",
  }),
  phrase('put "42" in answer.txt', "write_file", { filePath: "answer.txt", content: "42" }),
  phrase('please add "## Notes" at the bottom of README.md', "append_file", {
    filePath: "README.md",
    content: "## Notes",
  }),
  phrase('append the text "the end" to novel.txt please', "append_file", {
    filePath: "novel.txt",
    content: "the end",
  }),
  phrase('to the end of hosts.txt add "10.0.0.1 web"', "append_file", {
    filePath: "hosts.txt",
    content: "10.0.0.1 web",
  }),
  phrase('add a line saying "bye" to chat.txt', "append_file", { filePath: "chat.txt", content: "bye" }),
  phrase('Please change "blue" into "green" in colors.css', "replace_string", {
    filePath: "colors.css",
    oldString: "blue",
    newString: "green",
  }),
  phrase("replace oldName with newName in api.py", "replace_string", {
    filePath: "api.py",
    oldString: "oldName",
    newString: "newName",
  }),
  phrase('fix the typo "teh" to "the" in essay.md', "replace_string", {
    filePath: "essay.md",
    oldString: "teh",
    newString: "the",
  }),
  phrase('in config.ini, replace "on" with "off"', "replace_string", {
    filePath: "config.ini",
    oldString: "on",
    newString: "off",
  }),
  phrase("update the word draft to final in paper.md", "replace_string", {
    filePath: "paper.md",
    oldString: "draft",
    newString: "final",
  }),
  phrase('replace "a" by "b" everywhere in text.txt', "replace_string", {
    filePath: "text.txt",
    oldString: "a",
    newString: "b",
    replaceAll: true,
  }),
  phrase('replace "x" with "y", and "1" with "2" in calc.py', "multi_replace_string", {
    filePath: "calc.py",
    replacements: [
      { oldString: "x", newString: "y" },
      { oldString: "1", newString: "2" },
    ],
  }),
  phrase('in names.txt change "Bob" to "Rob" and "Liz" to "Beth"', "multi_replace_string", {
    filePath: "names.txt",
    replacements: [
      { oldString: "Bob", newString: "Rob" },
      { oldString: "Liz", newString: "Beth" },
    ],
  }),
  phrase('insert "{" in line 3 of block.c', "insert_at_line", {
    filePath: "block.c",
    lineNumber: 3,
    newText: "{",
  }),
  phrase('please add "two" as the 2nd line of list.md', "insert_at_line", {
    filePath: "list.md",
    lineNumber: 2,
    newText: "two",
  }),
  phrase('write "hi" at line 9 of greet.py', "insert_at_line", {
    filePath: "greet.py",
    lineNumber: 9,
    newText: "hi",
  }),
  phrase("move the file todo.md to archive/todo.md", "rename_file", {
    oldPath: "todo.md",
    newPath: "archive/todo.md",
  }),
  phrase("I want you to rename img1.png to cat.png", "rename_file", {
    oldPath: "img1.png",
    newPath: "cat.png",
  }),
  phrase("rename src/a.ts into src/b.ts", "rename_file", { oldPath: "src/a.ts", newPath: "src/b.ts" }),
  phrase("move data.csv into the archive folder", "rename_file", {
    oldPath: "data.csv",
    newPath: "archive/data.csv",
  }),
  phrase("Please remove /tmp/old.log", "delete_file", { filePath: "/tmp/old.log" }),
  phrase("get rid of the file core.dump", "delete_file", { filePath: "core.dump" }),
  phrase("would you mind deleting tmp.txt?", "delete_file", { filePath: "tmp.txt" }),
  phrase("discard notes.bak", "delete_file", { filePath: "notes.bak" }),
  phrase("ok, now delete test.tmp please", "delete_file", { filePath: "test.tmp" }),
  phrase("create a new folder named reports", "create_directory", { filePath: "reports" }),
  phrase("make directory lib/vendor", "create_directory", { filePath: "lib/vendor" }),
  phrase("please add a directory called fixtures", "create_directory", { filePath: "fixtures" }),
  phrase("create the folders x/y/z", "create_directory", { filePath: "x/y/z" }),
];
