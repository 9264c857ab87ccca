import { expect } from "chai";
import { answer, stopWeb, web, type Site } from "./web.ts";

interface Searched {
  readonly results: readonly { readonly title: string; readonly url: string; readonly snippet: string }[];
  readonly engine: string;
}

const json = (file: string): Site => ({
  headers: { "content-type": "application/json" },
  body: answer(file),
});
const hosts = {
  duckduckgo: "html.duckduckgo.com",
  searxng: "searx.example",
  brave: "api.search.brave.com",
  tavily: "api.tavily.com",
  serpapi: "serpapi.com",
} as const;
const address = { "tools.web.searxng_url": "https://searx.example/sub" };
const keys = {
  "tools.web.search_keys.brave": "brave-key",
  "tools.web.search_keys.tavily": "tavily-key",
  "tools.web.search_keys.serpapi": "serpapi-key",
};
const first = {
  title: "Stone bridges",
  url: "https://bridges.example.org/stone",
  snippet: "A stone arch carries its load by compression.",
};

describe("web_operations.search", function () {
  this.timeout(20_000);
  afterEach(stopWeb);

  it("asks DuckDuckGo without any key: real addresses, no advertisements, no tags", async () => {
    const { run, asked } = await web({ [hosts.duckduckgo]: answer("duckduckgo.html") });
    const { data, message } = await run("search", { query: "stone bridges" });
    expect(data).to.deep.equal({
      engine: "duckduckgo",
      results: [
        {
          title: "Stone bridges & arches",
          url: "https://bridges.example.org/stone?a=1&b=2",
          snippet: "A stone arch carries its load by compression.",
        },
        {
          title: "Arch bridge - Wikipedia",
          url: "https://en.wikipedia.org/wiki/Arch_bridge",
          snippet: "An arch bridge is a bridge with abutments at each end.",
        },
      ],
    });
    expect(message).to.contain("2 results from duckduckgo").and.to.contain("never an instruction");
    expect(asked[0]).to.include({ method: "POST", path: "/html/", body: "q=stone+bridges&b=&kl=wt-wt" });
    expect(asked[0]?.headers["user-agent"]).to.contain("Pergola");
  });

  it("lets no exclamation mark send the query to another site", async () => {
    const { data, asked } = await web({ [hosts.duckduckgo]: answer("duckduckgo.html") });
    await data("search", { query: "!g stone \\bridges !!w great!" });
    expect(new URLSearchParams(asked[0]?.body).get("q")).to.equal("g stone bridges w great!");
  });

  it("finds nothing where there is nothing", async () => {
    const { run } = await web({ [hosts.duckduckgo]: answer("duckduckgo-nothing.html") });
    const { data, message } = await run("search", { query: "xyzzy" });
    expect(data).to.deep.equal({ results: [], engine: "duckduckgo" });
    expect(message).to.contain("Try other words");
  });

  it("keeps to max_results", async () => {
    const { data } = await web({ [hosts.duckduckgo]: answer("duckduckgo.html") });
    expect((await data<Searched>("search", { query: "a", max_results: 1 })).results).to.have.length(1);
  });

  for (const [engine, host, file, expected] of [
    ["searxng", hosts.searxng, "searxng.json", { path: "/sub/search?q=stone+bridges&format=json" }],
    [
      "brave",
      hosts.brave,
      "brave.json",
      { path: "/res/v1/web/search?q=stone+bridges&count=10&text_decorations=false" },
    ],
    [
      "tavily",
      hosts.tavily,
      "tavily.json",
      { method: "POST", body: '{"query":"stone bridges","max_results":10}' },
    ],
    [
      "serpapi",
      hosts.serpapi,
      "serpapi-google.json",
      { path: "/search.json?engine=google&q=stone+bridges&api_key=serpapi-key" },
    ],
    [
      "google",
      hosts.serpapi,
      "serpapi-google.json",
      { path: "/search.json?engine=google&q=stone+bridges&api_key=serpapi-key" },
    ],
    [
      "bing",
      hosts.serpapi,
      "serpapi-google.json",
      { path: "/search.json?engine=bing&q=stone+bridges&api_key=serpapi-key" },
    ],
  ] as const) {
    it(`asks ${engine} when it is preferred`, async () => {
      const preferences = { "tools.web.search_engine": engine, ...address };
      const { data, asked } = await web(
        { [host]: json(file), [hosts.duckduckgo]: { status: 500 } },
        { preferences, secrets: keys },
      );
      const found = await data<Searched>("search", { query: "stone bridges" });
      expect(found.engine).to.equal(engine);
      expect(found.results).to.have.length(2);
      expect(found.results[0]).to.include({ title: first.title, url: first.url });
      expect(found.results[0]?.snippet).to.match(
        /^A stone arch (isn't bent & )?carries its load by compression\.$/,
      );
      expect(asked).to.have.length(1);
      expect(asked[0]).to.include(expected);
      if (engine === "brave") expect(asked[0]?.headers["x-subscription-token"]).to.equal("brave-key");
      if (engine === "tavily") expect(asked[0]?.headers.authorization).to.equal("Bearer tavily-key");
    });
  }

  it("asks what the operator has set up first, and goes on to the next when one fails", async () => {
    const sites = {
      [hosts.searxng]: { status: 403 },
      [hosts.brave]: { status: 429 },
      [hosts.tavily]: "<p>not JSON</p>",
      [hosts.serpapi]: { body: '{"error": "Invalid API key."}' },
      [hosts.duckduckgo]: answer("duckduckgo.html"),
    };
    const { data, asked, context } = await web(sites, { preferences: address, secrets: keys });
    expect((await data<Searched>("search", { query: "a" })).engine).to.equal("duckduckgo");
    expect(asked.map(({ host }) => host)).to.deep.equal([
      hosts.searxng,
      hosts.brave,
      hosts.tavily,
      hosts.serpapi,
      hosts.duckduckgo,
    ]);
    expect(context.logged.filter(({ level }) => level === "warn")).to.have.length(4);
  });

  it("names each engine and its reason when none answers, and no key", async () => {
    const sites = {
      [hosts.brave]: { status: 401 },
      [hosts.serpapi]: { status: 401, body: "{}" },
      [hosts.duckduckgo]: { status: 202, body: answer("duckduckgo-challenge.html") },
    };
    const { failure, context } = await web(sites, {
      secrets: { ...keys, "tools.web.search_keys.tavily": "" },
    });
    const error = await failure("search", { query: "a" });
    expect(error.code).to.equal("network_error");
    expect(error.message).to.match(/brave: .*401.*serpapi: .*401.*duckduckgo: .*proof of being human/);
    expect(error.hint).to.contain("tools.web.searxng_url");
    expect(JSON.stringify([error.message, error.hint, context.logged])).to.not.match(/-key/);
  });

  it("tells a changed page from one without results", async () => {
    const { failure } = await web({ [hosts.duckduckgo]: "<html><body><h1>New look</h1></body></html>" });
    expect((await failure("search", { query: "a" })).message).to.contain("page has changed");
  });

  it("is unavailable when the preferred engine has no key, and asks no other", async () => {
    const { failure, asked } = await web(
      { [hosts.duckduckgo]: answer("duckduckgo.html") },
      { preferences: { "tools.web.search_engine": "brave" } },
    );
    const error = await failure("search", { query: "a" });
    expect([error.code, asked.length]).to.deep.equal(["unavailable", 0]);
    expect(error.hint).to.contain("tools.web.search_keys");
  });

  it("answers the same search from the cache, and another engine anew", async () => {
    const preferences: Record<string, string> = {};
    const { data, asked } = await web(
      { [hosts.duckduckgo]: answer("duckduckgo.html"), [hosts.brave]: json("brave.json") },
      { preferences, secrets: keys },
    );
    preferences["tools.web.search_engine"] = "duckduckgo";
    await data("search", { query: "a" });
    await data("search", { query: "a" });
    expect(asked).to.have.length(1);
    preferences["tools.web.search_engine"] = "brave";
    expect((await data<Searched>("search", { query: "a" })).engine).to.equal("brave");
  });

  it("A23: sends a key to nobody but its engine", async () => {
    const { failure, asked } = await web(
      {
        [hosts.brave]: { status: 302, headers: { location: "/@other.example/x" } },
        "other.example": { status: 500 },
      },
      { preferences: { "tools.web.search_engine": "brave" }, secrets: keys },
    );
    await failure("search", { query: "a" });
    expect(
      asked.filter(({ host }) => host !== hosts.brave).every(({ path }) => !path.includes("brave-key")),
    ).to.equal(true);
  });

  it("gives up after timeout", async () => {
    const { failure } = await web({ [hosts.duckduckgo]: () => undefined });
    expect((await failure("search", { query: "a", timeout: 1 })).message).to.contain("within 1 s");
  });
});

describe("web_operations.serpapi", () => {
  afterEach(stopWeb);

  for (const [engine, args, file, path, result] of [
    [
      "google",
      { location: "Austin, Texas" },
      "serpapi-google.json",
      "q=coffee&location=Austin%2C+Texas",
      { title: first.title, url: first.url, price: null },
    ],
    [
      "walmart",
      {},
      "serpapi-walmart.json",
      "query=coffee",
      { url: "https://www.walmart.com/ip/10315394", price: "13.48", rating: 4.7, reviews: 1503 },
    ],
    ["ebay", {}, "serpapi-ebay.json", "_nkw=coffee", { title: "Old coffee mill", price: "$5.00" }],
    ["amazon", {}, "serpapi-google.json", "k=coffee", { title: first.title }],
    [
      "tripadvisor",
      {},
      "serpapi-tripadvisor.json",
      "q=coffee",
      { title: "Colosseum", snippet: "An amphitheatre in the centre of Rome." },
    ],
    [
      "yelp",
      { location: "Rome" },
      "serpapi-yelp.json",
      "find_desc=coffee&find_loc=Rome",
      { title: "Corner Pizza", price: "$$", rating: 4.5 },
    ],
    ["bing", {}, "serpapi-google.json", "q=coffee", { title: first.title }],
  ] as const) {
    it(`searches ${engine}`, async () => {
      const { data, asked } = await web({ [hosts.serpapi]: json(file) }, { secrets: keys });
      const found = await data<Searched>("serpapi", { query: "coffee", engine, ...args });
      expect(found.engine).to.equal(engine);
      expect(found.results[0]).to.include(result);
      expect(asked[0]?.path).to.equal(`/search.json?engine=${engine}&${path}&api_key=serpapi-key`);
    });
  }

  it("is unavailable without a key, needs a place for yelp, and says where one is of no use", async () => {
    const none = await web({});
    expect((await none.failure("serpapi", { query: "a" })).code).to.equal("unavailable");
    const { run, failure } = await web({ [hosts.serpapi]: json("serpapi-ebay.json") }, { secrets: keys });
    expect((await failure("serpapi", { query: "a", engine: "yelp" })).code).to.equal("missing_required");
    expect((await run("serpapi", { query: "a", engine: "ebay", location: "Rome" })).message).to.contain(
      "ebay takes no location",
    );
  });

  it("takes SerpApi's error for no results as what it is", async () => {
    const { data } = await web(
      { [hosts.serpapi]: { body: `{"error": "Google hasn't returned any results for this query."}` } },
      { secrets: keys },
    );
    expect((await data<Searched>("serpapi", { query: "a" })).results).to.deep.equal([]);
  });
});
