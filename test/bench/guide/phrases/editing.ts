import { phrase, type Phrase } from "../phrase.ts";

const edits = (filePath: string, ...pairs: readonly (readonly [string, string])[]) => ({
  filePath,
  replacements: pairs.map(([oldString, newString]) => ({ oldString, newString })),
});

/** The operations that change what is in files, and that move and delete them. */
export const editing: readonly Phrase[] = [
  phrase('replace "foo" with "bar" in src/a.ts', "replace_string", {
    filePath: "src/a.ts",
    oldString: "foo",
    newString: "bar",
  }),
  phrase("change 'localhost' to '0.0.0.0' in config.yml", "replace_string", {
    filePath: "config.yml",
    oldString: "localhost",
    newString: "0.0.0.0",
  }),
  phrase('In README.md, swap "Hello" for "Hi"', "replace_string", {
    filePath: "README.md",
    oldString: "Hello",
    newString: "Hi",
  }),
  phrase('substitute every "var " by "let " in old.js', "replace_string", {
    filePath: "old.js",
    oldString: "var ",
    newString: "let ",
    replaceAll: true,
  }),
  phrase('please correct the typo "recieve" to "receive" in mail.py', "replace_string", {
    filePath: "mail.py",
    oldString: "recieve",
    newString: "receive",
  }),
  phrase("replace all occurrences of 'http://' with 'https://' in links.md", "replace_string", {
    filePath: "links.md",
    oldString: "http://",
    newString: "https://",
    replaceAll: true,
  }),
  phrase('edit version.txt: turn "1.0" into "1.1"', "replace_string", {
    filePath: "version.txt",
    oldString: "1.0",
    newString: "1.1",
  }),
  phrase("Could you update 'TODO' to 'DONE' inside tasks.txt?", "replace_string", {
    filePath: "tasks.txt",
    oldString: "TODO",
    newString: "DONE",
  }),
  phrase('repalce "cat" with "dog" in pets.txt', "replace_string", {
    filePath: "pets.txt",
    oldString: "cat",
    newString: "dog",
  }),
  phrase('exchange "left" for "right" in layout.css', "replace_string", {
    filePath: "layout.css",
    oldString: "left",
    newString: "right",
  }),
  phrase("change `port = 80` to `port = 8080` in server.conf", "replace_string", {
    filePath: "server.conf",
    oldString: "port = 80",
    newString: "port = 8080",
  }),
  phrase('In main.go replace "fmt.Print" by "fmt.Println" everywhere', "replace_string", {
    filePath: "main.go",
    oldString: "fmt.Print",
    newString: "fmt.Println",
    replaceAll: true,
  }),
  phrase('set "debug: false" instead of "debug: true" in app.yaml', "replace_string", {
    filePath: "app.yaml",
    oldString: "debug: true",
    newString: "debug: false",
  }),
  phrase('swap out "jQuery" with "vanilla" in notes.md', "replace_string", {
    filePath: "notes.md",
    oldString: "jQuery",
    newString: "vanilla",
  }),

  phrase(
    'in a.txt replace "x" with "y" and "p" with "q"',
    "multi_replace_string",
    edits("a.txt", ["x", "y"], ["p", "q"]),
  ),
  phrase(
    'change "red" to "blue" and "hot" to "cold" in theme.css',
    "multi_replace_string",
    edits("theme.css", ["red", "blue"], ["hot", "cold"]),
  ),
  phrase(
    "Make two replacements in conf.ini: 'a=1' to 'a=2', 'b=1' to 'b=2'",
    "multi_replace_string",
    edits("conf.ini", ["a=1", "a=2"], ["b=1", "b=2"]),
  ),
  phrase(
    'replace "Mon" with "Monday", "Tue" with "Tuesday" and "Wed" with "Wednesday" in days.txt',
    "multi_replace_string",
    edits("days.txt", ["Mon", "Monday"], ["Tue", "Tuesday"], ["Wed", "Wednesday"]),
  ),
  phrase(
    'please swap "in" for "out" and "up" for "down" in map.md',
    "multi_replace_string",
    edits("map.md", ["in", "out"], ["up", "down"]),
  ),
  phrase(
    'several edits in doc.md: "old" -> "new", "bad" -> "good"',
    "multi_replace_string",
    edits("doc.md", ["old", "new"], ["bad", "good"]),
  ),
  phrase(
    'update both "1.2" to "1.3" and "2023" to "2024" in version.md',
    "multi_replace_string",
    edits("version.md", ["1.2", "1.3"], ["2023", "2024"]),
  ),
  phrase(
    'substitute "k" by "c" and "f" by "ph" in words.txt',
    "multi_replace_string",
    edits("words.txt", ["k", "c"], ["f", "ph"]),
  ),

  phrase('insert "from math import pi" at line 1 of circle.py', "insert_at_line", {
    filePath: "circle.py",
    lineNumber: 1,
    newText: "from math import pi",
  }),
  phrase("put 'use strict' on line 1 in app.js", "insert_at_line", {
    filePath: "app.js",
    lineNumber: 1,
    newText: "use strict",
  }),
  phrase('add "# section" before line 10 of doc.md', "insert_at_line", {
    filePath: "doc.md",
    lineNumber: 10,
    newText: "# section",
  }),
  phrase('at line 5 in list.txt insert "five"', "insert_at_line", {
    filePath: "list.txt",
    lineNumber: 5,
    newText: "five",
  }),
  phrase('please insert the text "hello" into notes.txt at line 3', "insert_at_line", {
    filePath: "notes.txt",
    lineNumber: 3,
    newText: "hello",
  }),
  phrase('insrt "x" at line 2 of y.txt', "insert_at_line", {
    filePath: "y.txt",
    lineNumber: 2,
    newText: "x",
  }),
  phrase('Place "});" at line 44 of index.js', "insert_at_line", {
    filePath: "index.js",
    lineNumber: 44,
    newText: "});",
  }),
  phrase('squeeze "- item" in at line 7 of todo.md', "insert_at_line", {
    filePath: "todo.md",
    lineNumber: 7,
    newText: "- item",
  }),
  phrase('Could you add "BEGIN" as line 1 of script.sql?', "insert_at_line", {
    filePath: "script.sql",
    lineNumber: 1,
    newText: "BEGIN",
  }),
  phrase("insert the following at line 8 of poem.txt: and so on", "insert_at_line", {
    filePath: "poem.txt",
    lineNumber: 8,
    newText: "and so on",
  }),

  phrase("rename a.txt to b.txt", "rename_file", { oldPath: "a.txt", newPath: "b.txt" }),
  phrase("move src/old.ts to src/lib/new.ts", "rename_file", {
    oldPath: "src/old.ts",
    newPath: "src/lib/new.ts",
  }),
  phrase("mv draft.md final.md", "rename_file", { oldPath: "draft.md", newPath: "final.md" }),
  phrase("please change the name of photo1.jpg to beach.jpg", "rename_file", {
    oldPath: "photo1.jpg",
    newPath: "beach.jpg",
  }),
  phrase("give report.txt the new name report-2024.txt", "rename_file", {
    oldPath: "report.txt",
    newPath: "report-2024.txt",
  }),
  phrase("Could you move notes.md into archive/notes.md?", "rename_file", {
    oldPath: "notes.md",
    newPath: "archive/notes.md",
  }),
  phrase("renmae x.csv to y.csv", "rename_file", { oldPath: "x.csv", newPath: "y.csv" }),
  phrase('rename the file "old name.txt" to "new name.txt"', "rename_file", {
    oldPath: "old name.txt",
    newPath: "new name.txt",
  }),
  phrase("move logo.png to the assets folder", "rename_file", {
    oldPath: "logo.png",
    newPath: "assets/logo.png",
  }),
  phrase("turn config.sample.json into config.json by renaming it", "rename_file", {
    oldPath: "config.sample.json",
    newPath: "config.json",
  }),
  phrase("rename file test.spec.js as test.unit.js", "rename_file", {
    oldPath: "test.spec.js",
    newPath: "test.unit.js",
  }),
  phrase("relocate data/input.csv to backup/input.csv", "rename_file", {
    oldPath: "data/input.csv",
    newPath: "backup/input.csv",
  }),

  phrase("delete temp.txt", "delete_file", { filePath: "temp.txt" }),
  phrase("remove the file build/output.log", "delete_file", { filePath: "build/output.log" }),
  phrase("rm old.bak", "delete_file", { filePath: "old.bak" }),
  phrase("please get rid of junk.tmp", "delete_file", { filePath: "junk.tmp" }),
  phrase("erase secrets.txt", "delete_file", { filePath: "secrets.txt" }),
  phrase("Could you delete docs/obsolete.md for me?", "delete_file", { filePath: "docs/obsolete.md" }),
  phrase("trash notes-old.txt", "delete_file", { filePath: "notes-old.txt" }),
  phrase("go ahead and delete cache.db", "delete_file", { filePath: "cache.db" }),
  phrase("I want you to remove 'my file.txt'", "delete_file", { filePath: "my file.txt" }),
  phrase("Throw away draft2.md", "delete_file", { filePath: "draft2.md" }),
  phrase("please delete the file .DS_Store", "delete_file", { filePath: ".DS_Store" }),
  phrase("wipe out debug.log", "delete_file", { filePath: "debug.log" }),

  phrase("create a folder called images", "create_directory", { filePath: "images" }),
  phrase("mkdir build/tmp", "create_directory", { filePath: "build/tmp" }),
  phrase("make a new directory src/components", "create_directory", { filePath: "src/components" }),
  phrase("please set up a directory named archive", "create_directory", { filePath: "archive" }),
  phrase("add a folder tests/unit", "create_directory", { filePath: "tests/unit" }),
  phrase('Could you make me a folder named "my photos"?', "create_directory", { filePath: "my photos" }),
  phrase("new directory: logs", "create_directory", { filePath: "logs" }),
  phrase("creat a dir called data", "create_directory", { filePath: "data" }),
  phrase("create the directory dist/css", "create_directory", { filePath: "dist/css" }),
  phrase("make the directory a/b/c", "create_directory", { filePath: "a/b/c" }),
  phrase("set up an empty folder `output`", "create_directory", { filePath: "output" }),
  phrase("mkdir results", "create_directory", { filePath: "results" }),
];
