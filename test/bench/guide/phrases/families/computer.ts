import { has, phrase, type Phrase, silent } from "../../phrase.ts";

const search = "system_search.search";

/** Files anywhere on the computer. */
export const computer: readonly Phrase[] = [
  phrase("find tax-return on my computer", search, { query: "tax-return" }),
  phrase("where on my computer is the file passport-scan.jpg?", search, { query: has("passport-scan") }),
  phrase("search this machine for photos of the wedding", search, {
    query: has("wedding"),
    file_type: "image",
  }),
  phrase("look for a video called birthday on this computer", search, {
    query: "birthday",
    file_type: "video",
  }),
  phrase("is there a spreadsheet named payroll somewhere on this computer?", search, {
    query: "payroll",
    file_type: "spreadsheet",
  }),
  phrase("locate budget.ods on my machine", search, { query: has("budget.ods") }),
  phrase("find audio files named interview on my computer", search, {
    query: "interview",
    file_type: "audio",
  }),
  phrase("search the whole computer for files named resume", search, { query: "resume" }),
  phrase("which documents on this computer mention inflation?", "search_content", { query: "inflation" }),
  phrase("which files on my computer contain the phrase letter of intent?", "search_content", {
    query: has("letter of intent"),
  }),
  phrase("look inside all documents on this computer for the word dividend", "search_content", {
    query: "dividend",
  }),
  phrase("search inside my letters and PDFs for Marseille", "search_content", { query: "Marseille" }),
  phrase("find documents on my machine that talk about solar panels", "search_content", {
    query: has("solar panels"),
  }),
  phrase("search the contents of all files on my computer for warranty", "search_content", {
    query: "warranty",
  }),
  phrase("which songs are by the artist Nina Simone?", "search_metadata", {
    attribute: "artist",
    value: "Nina Simone",
  }),
  phrase("which documents have the author Tolstoy?", "search_metadata", {
    attribute: "author",
    value: "Tolstoy",
  }),
  phrase("find photos with the camera Fujifilm", "search_metadata", {
    attribute: "camera",
    value: "Fujifilm",
  }),
  phrase("show images with width > 3000", "search_metadata", { attribute: "width", value: "> 3000" }),
  phrase("show me the files with the title Annual Plan", "search_metadata", {
    attribute: "title",
    value: "Annual Plan",
  }),
  phrase("find music with the artist Fela Kuti", "search_metadata", {
    attribute: "artist",
    value: "Fela Kuti",
  }),
  phrase("which camera took IMG_204.jpg?", "file_info", { path: "IMG_204.jpg" }),
  phrase("when was ~/holiday.jpg taken and with which camera?", "file_info", { path: "~/holiday.jpg" }),
  phrase("what is the bitrate of track07.mp3?", "file_info", { path: "track07.mp3" }),
  phrase("who is the artist of song.flac?", "file_info", { path: "song.flac" }),
  phrase("which album is ballad.mp3 from?", "file_info", { path: "ballad.mp3" }),
  phrase(
    "what are the dimensions of poster.png?",
    ["file_info", "get_file_info"],
    { path: "poster.png" },
    { filePath: "poster.png" },
  ),
  phrase("what files have I changed lately?", "recent_files", {}),
  phrase("which files were changed in the last 5 hours?", "recent_files", { hours: 5 }),
  phrase("show the files I worked on today", "recent_files", {}, { hours: 24 }),
  phrase("list my most recent pictures", "recent_files", { file_type: "image" }),
  phrase("which files changed on this computer in the past 2 hours", "recent_files", { hours: 2 }),
  phrase("show me the latest files on my computer", "recent_files", {}),
  silent("my computer is slow today"),
  silent("I can't find my glasses"),
  silent("don't search my computer"),
  silent("how does file search work?"),
  silent("the photos of the wedding were beautiful"),
  silent("the author of Faust is Goethe"),
];
