import { has, phrase, type Phrase, silent } from "../../phrase.ts";

const search = "web_operations.search";
const fetch = "web_operations.fetch";
const research = "web_operations.research";

export const web: readonly Phrase[] = [
  phrase("search the internet for cheap flights to Porto", search, { query: has("cheap flights to Porto") }),
  phrase("do a web search for vegan lasagne recipes", search, { query: has("vegan lasagne recipes") }),
  phrase("google the population of Iceland", search, { query: has("population of Iceland") }),
  phrase("google when the next solar eclipse is", search, { query: has("next solar eclipse") }),
  phrase("look online for a manual of the Bosch drill", search, { query: has("manual of the Bosch drill") }),
  phrase("can you look up the train strike in Germany on the web?", search, {
    query: has("train strike in Germany"),
  }),
  phrase("find me 5 web pages about beekeeping", search, { query: has("beekeeping"), max_results: 5 }),
  phrase("what does the internet say about sourdough starters?", [search, research], {
    query: has("sourdough starters"),
  }),
  phrase("search the web for 'rust borrow checker'", search, { query: "rust borrow checker" }),
  phrase("web search: best e-bike under 2000 euros", search, { query: has("best e-bike under 2000 euros") }),
  phrase("get me the page https://news.example.net/today", fetch, { url: "https://news.example.net/today" }),
  phrase("what's on https://blog.example.org/post/12?", fetch, { url: "https://blog.example.org/post/12" }),
  phrase("please fetch https://api.example.com/v1/status.json", fetch, {
    url: "https://api.example.com/v1/status.json",
  }),
  phrase("show me the contents of http://example.net/robots.txt", fetch, {
    url: "http://example.net/robots.txt",
  }),
  phrase("go to https://docs.example.com and tell me what it is about", fetch, {
    url: "https://docs.example.com",
  }),
  phrase("load the page at https://en.example.org/wiki/Pergola", fetch, {
    url: "https://en.example.org/wiki/Pergola",
  }),
  phrase("give me the first 2000 characters of https://example.com/long", fetch, {
    url: "https://example.com/long",
    max_characters: 2000,
  }),
  phrase("read at most 500 characters of https://example.org/log.txt", fetch, {
    url: "https://example.org/log.txt",
    max_characters: 500,
  }),
  phrase("do some research on vertical farming", research, { query: has("vertical farming") }),
  phrase("compare several sources on whether microwaves are safe", research, {
    query: has("microwaves are safe"),
  }),
  phrase("investigate what causes coral bleaching", research, { query: has("coral bleaching") }),
  phrase("what do different sources say about intermittent fasting?", research, {
    query: has("intermittent fasting"),
  }),
  phrase(
    "any news on the Mars rover?",
    [research, search],
    { query: has("Mars rover"), type: "news" },
    { query: has("news", "Mars rover") },
  ),
  phrase("latest news on electric aviation", research, { query: has("electric aviation"), type: "news" }),
  phrase("I want comprehensive research about tidal power", research, {
    query: has("tidal power"),
    depth: "comprehensive",
  }),
  phrase("research quantum batteries, a shallow look is enough", research, {
    query: has("quantum batteries"),
    depth: "shallow",
  }),
  silent("how does a search engine work?"),
  silent("the web is full of nonsense"),
  silent("what is a web page?"),
  silent("don't look it up online"),
  silent("I read an article about bees yesterday"),
  silent("my research is going well"),
];
