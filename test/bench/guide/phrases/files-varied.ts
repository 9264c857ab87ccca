import { has, phrase, type Phrase } from "../phrase.ts";

/** Files, where families could be taken for one another; for tuning only. */
export const filesVaried: readonly Phrase[] = [
  phrase("what do the last lines of build.log say?", "read_file", { filePath: "build.log" }),
  phrase("show me what is written in letters/anna.txt", "read_file", { filePath: "letters/anna.txt" }),
  phrase("Could I see the file deploy.yaml?", "read_file", { filePath: "deploy.yaml" }),
  phrase("how long is the file story.txt?", ["get_file_info", "read_file"], { filePath: "story.txt" }),
  phrase("who owns server.pem and what are its permissions?", "get_file_info", { filePath: "server.pem" }),
  phrase(
    "when did main.rs change last?",
    ["get_file_info", "log"],
    { filePath: "main.rs" },
    { file: "main.rs" },
  ),
  phrase("what's in the directory assets/fonts?", "list_dir", { filePath: "assets/fonts" }),
  phrase("show the files under packages", "list_dir", { filePath: "packages" }),
  phrase("are there errors in src/index.tsx?", "get_errors", { filePaths: ["src/index.tsx"] }),
  phrase("find every csv file below data", "file_search", { query: "**/*.csv", directory: "data" }),
  phrase(
    "where is the file named .eslintrc.json?",
    "file_search",
    { query: "**/.eslintrc.json" },
    { query: ".eslintrc.json" },
  ),
  phrase('which files mention "session expired"?', ["grep_search", "search_content"], {
    query: "session expired",
    isRegexp: false,
  }),
  phrase("search for the string 'maxAge' in src", "grep_search", {
    query: "maxAge",
    isRegexp: false,
    directory: "src",
  }),
  phrase("find the code which resizes thumbnails", "semantic_search", { query: has("resizes thumbnails") }),
  phrase("where does the program load its plugins?", "semantic_search", { query: has("load its plugins") }),
  phrase('write "hello world" into out.txt', "write_file", { filePath: "out.txt", content: "hello world" }),
  phrase('put "green" at the end of colours.txt', "append_file", {
    filePath: "colours.txt",
    content: "green",
  }),
  phrase('change "alpha" to "beta" in release.md', "replace_string", {
    filePath: "release.md",
    oldString: "alpha",
    newString: "beta",
  }),
  phrase('write the text "x = 2" to conf/app.ini', "write_file", {
    filePath: "conf/app.ini",
    content: "x = 2",
  }),
  phrase('insert "use lib;" at line 2 of run.pl', "insert_at_line", {
    filePath: "run.pl",
    lineNumber: 2,
    newText: "use lib;",
  }),
  phrase("create the file notes/todo.md", "create_file", { filePath: "notes/todo.md" }),
  phrase('update "on" to "off" in switch.conf', "replace_string", {
    filePath: "switch.conf",
    oldString: "on",
    newString: "off",
  }),
  phrase("please delete the file out/report.html", "delete_file", { filePath: "out/report.html" }),
  phrase("rename chart.svg to graph.svg", "rename_file", { oldPath: "chart.svg", newPath: "graph.svg" }),

  phrase('write "first line" to the file logs/new.txt', "write_file", {
    filePath: "logs/new.txt",
    content: "first line",
  }),
  phrase('Put "three" into number.txt', "write_file", { filePath: "number.txt", content: "three" }),
  phrase('set the contents of mode.cfg to "fast"', "write_file", { filePath: "mode.cfg", content: "fast" }),
  phrase("save this to note.md: remember the milk", "write_file", {
    filePath: "note.md",
    content: "remember the milk",
  }),
  phrase("save the following in verse.txt: Violets are blue", "write_file", {
    filePath: "verse.txt",
    content: "Violets are blue",
  }),
  phrase('append "last" to end.txt', "append_file", { filePath: "end.txt", content: "last" }),
  phrase("append the following to list.txt: buy tea", "append_file", {
    filePath: "list.txt",
    content: "buy tea",
  }),
  phrase('attach "Regards" to the end of mail.txt', "append_file", {
    filePath: "mail.txt",
    content: "Regards",
  }),
  phrase('create page.html containing "<p>hi</p>"', "create_file", {
    filePath: "page.html",
    content: "<p>hi</p>",
  }),
  phrase("make me a new file called ideas.txt", "create_file", { filePath: "ideas.txt" }),
  phrase("generate an empty file named .npmrc", "create_file", { filePath: ".npmrc" }),
  phrase('put "debug = 0" in place of "debug = 1" in app.cfg', "replace_string", {
    filePath: "app.cfg",
    oldString: "debug = 1",
    newString: "debug = 0",
  }),
  phrase('use "cold" instead of "hot" in water.txt', "replace_string", {
    filePath: "water.txt",
    oldString: "hot",
    newString: "cold",
  }),
  phrase('swap "a" with "z" in letters.txt', "replace_string", {
    filePath: "letters.txt",
    oldString: "a",
    newString: "z",
  }),
  phrase('edit app.ini: change "yes" to "no"', "replace_string", {
    filePath: "app.ini",
    oldString: "yes",
    newString: "no",
  }),
  phrase("correct the typo 'adress' to 'address' in form.html", "replace_string", {
    filePath: "form.html",
    oldString: "adress",
    newString: "address",
  }),
  phrase('add "import os" at line 1 of tool.py', "insert_at_line", {
    filePath: "tool.py",
    lineNumber: 1,
    newText: "import os",
  }),
  phrase('at line 12 of poem.txt insert "and then"', "insert_at_line", {
    filePath: "poem.txt",
    lineNumber: 12,
    newText: "and then",
  }),
  phrase("insert the following at line 4 of song.txt: la la la", "insert_at_line", {
    filePath: "song.txt",
    lineNumber: 4,
    newText: "la la la",
  }),
  phrase("move photo.jpg to the pictures folder", "rename_file", {
    oldPath: "photo.jpg",
    newPath: "pictures/photo.jpg",
  }),
  phrase("give draft.txt the name final.txt", "rename_file", { oldPath: "draft.txt", newPath: "final.txt" }),
  phrase("make a directory called vendor", "create_directory", { filePath: "vendor" }),
  phrase("new folder: exports", "create_directory", { filePath: "exports" }),
  phrase("remove 'old list.txt'", "delete_file", { filePath: "old list.txt" }),
];
