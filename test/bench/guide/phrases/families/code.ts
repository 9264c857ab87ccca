import { has, phrase, type Phrase, silent } from "../../phrase.ts";

export const code: readonly Phrase[] = [
  phrase(
    "where do we use renderPage?",
    "list_usages",
    { symbol_name: "renderPage" },
    { symbolName: "renderPage" },
  ),
  phrase(
    "list all references to MAX_RETRIES",
    "list_usages",
    { symbol_name: "MAX_RETRIES" },
    { symbolName: "MAX_RETRIES" },
  ),
  phrase("who calls load_user in lib?", "list_usages", { symbol_name: "load_user", file_paths: ["lib"] }),
  phrase(
    "find the definition of OrderService",
    "list_usages",
    { symbol_name: "OrderService" },
    { symbolName: "OrderService" },
  ),
  phrase("which commit fixed the memory leak?", "search_history", { query: has("memory leak") }),
  phrase("find commits about logging", "search_history", { query: has("logging") }),
  phrase("when was retryLimit introduced?", "search_history", { query: "retryLimit" }),
  phrase("which commit broke the upload", "search_history", { query: has("upload") }),
  silent("code is poetry"),
  silent("history repeats itself"),
  phrase("show me every call of sendInvoice", "list_usages", { symbol_name: "sendInvoice" }),
  phrase("where is the class PaymentGateway defined?", "list_usages", { symbol_name: "PaymentGateway" }),
  phrase("what uses toKebabCase?", "list_usages", { symbol_name: "toKebabCase" }),
  phrase("find all usages of parse_args in tools/", "list_usages", {
    symbol_name: "parse_args",
    file_paths: ["tools/"],
  }),
  phrase("list the references to apiKey with 3 lines of context", "list_usages", {
    symbol_name: "apiKey",
    context_lines: 3,
  }),
  phrase("which functions call openDatabase?", "list_usages", { symbol_name: "openDatabase" }),
  phrase("which commits mention the scheduler?", "search_history", { query: has("scheduler") }),
  phrase("find 10 commits about translations", "search_history", {
    query: has("translation"),
    max_results: 10,
  }),
  phrase("when was the function drawChart added?", "search_history", { query: "drawChart" }),
  phrase("in which commit was cacheSize removed?", "search_history", { query: "cacheSize" }),
  phrase("which commits did ben make about the login since 2026-02-01?", "search_history", {
    query: has("login"),
    author: "ben",
    since: has("2026-02-01"),
  }),
  phrase("search the git history for deadlock", "search_history", { query: "deadlock" }),
  silent("who invented git?"),
  silent("the code is hard to read"),
];
