import { phrase, type Phrase } from "../phrase.ts";

/** The operations that create files and write to them. */
export const creating: readonly Phrase[] = [
  phrase("create an empty file called notes.md", "create_file", { filePath: "notes.md" }),
  phrase('make a new file todo.txt containing "buy milk"', "create_file", {
    filePath: "todo.txt",
    content: "buy milk",
  }),
  phrase("touch src/new.ts", "create_file", { filePath: "src/new.ts" }),
  phrase("Please create hello.py with the content `print('hello')`", "create_file", {
    filePath: "hello.py",
    content: "print('hello')",
  }),
  phrase("add a new file docs/faq.md", "create_file", { filePath: "docs/faq.md" }),
  phrase("could you generate an empty file named .env.local?", "create_file", { filePath: ".env.local" }),
  phrase("new file: scratch.txt", "create_file", { filePath: "scratch.txt" }),
  phrase('creat a file data/list.csv with "id,name" in it', "create_file", {
    filePath: "data/list.csv",
    content: "id,name",
  }),
  phrase('I need you to create config.json with content {"debug": true}', "create_file", {
    filePath: "config.json",
    content: '{"debug": true}',
  }),
  phrase("start a file named journal.txt that says 'Day one'", "create_file", {
    filePath: "journal.txt",
    content: "Day one",
  }),
  phrase("Create index.html, overwriting it if it is already there", "create_file", {
    filePath: "index.html",
    overwrite: true,
  }),
  phrase('create the file src/lib/util.js and put "export {}" in it', "create_file", {
    filePath: "src/lib/util.js",
    content: "export {}",
  }),
  phrase("make an empty readme.txt in the docs folder", "create_file", { filePath: "docs/readme.txt" }),
  phrase("Would you mind creating a blank file test.sql?", "create_file", { filePath: "test.sql" }),

  phrase('write "hello there" to greeting.txt', "write_file", {
    filePath: "greeting.txt",
    content: "hello there",
  }),
  phrase("save 'alpha beta' as out/result.txt", "write_file", {
    filePath: "out/result.txt",
    content: "alpha beta",
  }),
  phrase('overwrite notes.txt with "all done"', "write_file", { filePath: "notes.txt", content: "all done" }),
  phrase('Put the text "v2.0" into VERSION', "write_file", { filePath: "VERSION", content: "v2.0" }),
  phrase('please store "x=1" in settings.ini', "write_file", { filePath: "settings.ini", content: "x=1" }),
  phrase('Set the content of status.txt to "ready"', "write_file", {
    filePath: "status.txt",
    content: "ready",
  }),
  phrase(
    "write this to main.c:\n```c\nint main() { return 0; }\n```",
    "write_file",
    { filePath: "main.c", content: "int main() { return 0; }\n" },
    { filePath: "main.c", content: "int main() { return 0; }" },
  ),
  phrase("save the following in poem.txt: Roses are red", "write_file", {
    filePath: "poem.txt",
    content: "Roses are red",
  }),
  phrase('Replace everything in draft.md with "# New draft"', "write_file", {
    filePath: "draft.md",
    content: "# New draft",
  }),
  phrase('wriet "ok" into flag.txt', "write_file", { filePath: "flag.txt", content: "ok" }),
  phrase('Could you write the line "export PATH" to env.sh?', "write_file", {
    filePath: "env.sh",
    content: "export PATH",
  }),
  phrase('dump "a,b,c" to table.csv', "write_file", { filePath: "table.csv", content: "a,b,c" }),

  phrase('append "- eggs" to shopping.md', "append_file", { filePath: "shopping.md", content: "- eggs" }),
  phrase('add the line "done" to the end of log.txt', "append_file", {
    filePath: "log.txt",
    content: "done",
  }),
  phrase('Please put "see you" at the bottom of letter.txt', "append_file", {
    filePath: "letter.txt",
    content: "see you",
  }),
  phrase("tack 'EOF' onto script.sh", "append_file", { filePath: "script.sh", content: "EOF" }),
  phrase('add "*.log" to .gitignore', "append_file", { filePath: ".gitignore", content: "*.log" }),
  phrase('at the end of notes.txt, write "finished"', "append_file", {
    filePath: "notes.txt",
    content: "finished",
  }),
  phrase('apend "more text" to story.txt', "append_file", { filePath: "story.txt", content: "more text" }),
  phrase('extend CHANGELOG.md with "- fixed a bug"', "append_file", {
    filePath: "CHANGELOG.md",
    content: "- fixed a bug",
  }),
  phrase("could you append the following to todo.txt: call Anna", "append_file", {
    filePath: "todo.txt",
    content: "call Anna",
  }),
  phrase("Attach the line 'signed, Bob' to the end of letter.md", "append_file", {
    filePath: "letter.md",
    content: "signed, Bob",
  }),
  phrase('add another line "third" to list.txt', "append_file", { filePath: "list.txt", content: "third" }),
  phrase('write "bye" at the end of chat.log', "append_file", { filePath: "chat.log", content: "bye" }),
];
