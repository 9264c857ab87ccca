import { has, phrase, type Phrase, silent } from "../../phrase.ts";

export const notes: readonly Phrase[] = [
  phrase("search my notes for risotto", "notes_operations.search", { query: "risotto" }),
  phrase("look through my notes for the garage code", "notes_operations.search", {
    query: has("garage code"),
  }),
  phrase("is there anything about insurance in my notes?", "notes_operations.search", { query: "insurance" }),
  phrase("which notes mention Berlin?", "notes_operations.search", { query: "Berlin" }),
  phrase("find my note on bicycle repair", "notes_operations.search", { query: has("bicycle repair") }),
  phrase("do my notes say anything about vaccines", "notes_operations.search", { query: has("vaccines") }),
  phrase("open the note Packing", "get_note", { note_name: "Packing" }),
  phrase("show me my note Birthdays", "get_note", { note_name: "Birthdays" }),
  phrase("read my note called Recipes", "get_note", { note_name: "Recipes" }),
  phrase("what's in the note Budget?", "get_note", { note_name: "Budget" }),
  phrase("list all my notes", "list_notes", {}),
  phrase("which notes do I have?", "list_notes", {}),
  phrase("show my 10 newest notes", "list_notes", { max_results: 10 }),
  phrase("what notes are in the folder Travel?", "list_notes", { folder: "Travel" }),
  phrase("what folders do I have for notes?", "list_folders", {}),
  phrase("list my note folders", "list_folders", {}),
  phrase("make a note called Gifts: scarf and gloves", "create_note", {
    title: "Gifts",
    body: "scarf and gloves",
  }),
  phrase("create a note called Movies: Alien and Heat", "create_note", {
    title: "Movies",
    body: "Alien and Heat",
  }),
  phrase("add cheese to my note Shopping", "append_note", { note_name: "Shopping", text: "cheese" }),
  phrase("append water the roses to the note Garden", "append_note", {
    note_name: "Garden",
    text: "water the roses",
  }),
  silent("note the irony"),
  silent("a note is a musical sound"),
  silent("that is worth noting"),
  silent("make a note of everything I say from now on unless I tell you otherwise"),
  phrase("add pick up the keys to the note Today", "append_note", {
    note_name: "Today",
    text: "pick up the keys",
  }),
  phrase("append renew the library card to my note Errands", "append_note", {
    note_name: "Errands",
    text: "renew the library card",
  }),
  phrase("make a note named Books: Emma and Dracula", "create_note", {
    title: "Books",
    body: "Emma and Dracula",
  }),
  phrase("write a note called Paint: two cans of white", "create_note", {
    title: "Paint",
    body: "two cans of white",
  }),
  silent("don't add anything to my note Shopping"),
  silent("should I write that in my note Ideas?"),
  silent("how do I make a note?"),
  silent("what would it do to my note Plan if you appended milk?"),
];
