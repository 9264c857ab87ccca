import { expect } from "chai";
import type { FoundMessages } from "@pergola/sdk/host";
import { chatReply, endpointRequest } from "@pergola/sdk/testing";
import { assistant, chat, user, type WireMessage } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { eventually } from "../support/lab-stage.ts";
import { searchAt } from "../support/search-stage.ts";
import { verifies } from "../support/verifies.ts";

const nobody = "11111111-1111-4111-8111-111111111111";

for (const type of ["sqlite", "memory"])
  describe(`search in messages, storage ${type}`, () => {
    let stage: Stage;
    beforeEach(async () => {
      stage = await openStage([], { settings: { storage: { type } } });
    });
    afterEach(() => stage.end());
    const { json, search, texts, codeOf } = searchAt(() => stage);

    const say = async (
      messages: readonly WireMessage[],
      text: string,
      more: object = {},
    ): Promise<string> => {
      stage.provider.play([chatReply({ text })]);
      const { status, body } = await chat(stage, { messages, ...more });
      expect(status, JSON.stringify(body)).to.equal(200);
      return body.service_metadata.conversation_id;
    };

    verifies(
      "search:words",
      "finds words, phrases and beginnings of words, all that are asked for",
      async () => {
        await say([user("Where is the e-mail from the Café in Graz?")], "In the folder Hotels.");
        await say([user("A hotel in Graz")], "Try the one at 東京の天気.");
        expect(await texts("graz")).to.deep.equal([
          "A hotel in Graz",
          "Where is the e-mail from the Café in Graz?",
        ]);
        expect(await texts("CAFE graz")).to.deep.equal(["Where is the e-mail from the Café in Graz?"]);
        expect(await texts('"e mail"')).to.deep.equal(["Where is the e-mail from the Café in Graz?"]);
        expect(await texts('"mail e"')).to.deep.equal([]);
        expect(await texts("hotel")).to.deep.equal(["A hotel in Graz"]);
        expect(await texts("hot*")).to.deep.equal(["A hotel in Graz", "In the folder Hotels."]);
        expect(await texts("天気")).to.deep.equal(["Try the one at 東京の天気."]);
        expect(await texts("hotel café")).to.deep.equal([]);
      },
    );

    verifies("search:hit", "tells where a message is, and whether it is on the active branch", async () => {
      const title = "Travel";
      const { body: made } = await json<{ id: string }>("POST", "/v1/conversations", { title });
      const long = `${"Nothing of it. ".repeat(40)}The train to Graz leaves at nine. ${"And more. ".repeat(40)}`;
      const conversationId = made.id;
      await say([user("When?")], long, { conversationId });
      await say([user("Which train?")], "The train to Linz.", { conversationId });
      await say([user("When?"), assistant(long), user("Never mind the train")], "All right.", {
        conversationId,
      });
      const { hits, count } = await eventually(async () => {
        const found = await search("train");
        return found.complete && found;
      });
      expect(count).to.equal(4);
      expect(hits.map(({ onActiveBranch }) => onActiveBranch)).to.deep.equal([true, false, false, true]);
      const detail = await json<{ messages: readonly WireMessage[] }>("GET", `/v1/conversations/${made.id}`);
      const { id: messageId, timestamp } = detail.body.messages.find(({ content }) => content === long)!;
      const [, , , hit] = hits;
      const at = hit!.snippet.indexOf("train");
      expect(hit).to.deep.equal({
        ...{ messageId, conversationId, title, role: "assistant", timestamp, onActiveBranch: true },
        snippet: hit!.snippet,
        marks: [[at, 5]],
      });
      expect(hit!.snippet).to.match(/^….*The train to Graz leaves at nine\..*…$/);
      expect(hit!.snippet.length).to.be.within(150, 202);
    });

    verifies("search:filters", "narrows by conversation, role and time, and pages", async () => {
      const first = await say([user("Tea, please")], "Green tea?", { conversationId: "tea-one" });
      const second = await say([user("More tea")], "Black tea?");
      const ids = async (query: string) =>
        (await search("tea", query)).hits.map(({ conversationId, role }) => `${conversationId} ${role}`);
      const all = [`${second} assistant`, `${second} user`, `${first} assistant`, `${first} user`];
      expect(await ids("")).to.deep.equal(all);
      expect(await ids("&conversationId=tea-one")).to.deep.equal(all.slice(2));
      expect(await ids(`&conversationId=${first.toUpperCase()}`)).to.deep.equal(all.slice(2));
      expect(await ids(`&conversationId=${nobody}`)).to.deep.equal([]);
      expect(await ids("&role=user")).to.deep.equal([all[1], all[3]]);
      expect(await ids("&role=tool")).to.deep.equal([]);
      const { timestamp } = (await search("black")).hits[0]!;
      const time = encodeURIComponent(timestamp);
      expect((await ids(`&from=${time}`))[0]).to.equal(all[0]);
      expect(await ids(`&from=${time}&to=${time}`)).to.deep.equal([]);
      expect(await ids(`&to=${time}`)).to.not.include(all[0]);
      const page = await search("tea", "&limit=2&offset=1");
      expect([page.count, page.hits.map(({ role }) => role)]).to.deep.equal([4, ["user", "assistant"]]);
    });

    verifies("search:filters", "refuses what it does not know, and asks for q", async () => {
      expect(await codeOf("/api/search")).to.deep.equal([400, "missing_field", "q"]);
      expect(await codeOf("/api/search?q=a&role=friend")).to.deep.equal([400, "invalid_value", "role"]);
      expect(await codeOf("/api/search?q=a&from=yesterday")).to.deep.equal([400, "invalid_value", "from"]);
      expect((await codeOf("/api/search?q=a&limit=1001"))[0]).to.equal(400);
      expect((await codeOf("/api/search?q=a&offset=-1"))[0]).to.equal(400);
    });

    verifies("search:hidden", "leaves hidden conversations out, whenever they are hidden", async () => {
      const id = await say([user("The password of the fence")], "Forest green.");
      await json("POST", "/debug/mcp/execute", {
        tool: "think",
        arguments: { thought: "fence" },
        isUserInitiated: true,
      });
      expect((await search("fence")).count).to.equal(1);
      const hide = (hidden: boolean) =>
        stage.host.services.conversations.update(id, { hidden }, endpointRequest().caller);
      await hide(true);
      expect(await search("fence")).to.deep.equal({ hits: [], count: 0, complete: true });
      expect((await search("fence", `&conversationId=${id}`)).count).to.equal(0);
      await hide(false);
      expect(await texts("fence")).to.deep.equal(["The password of the fence"]);
    });

    verifies("search:gone", "finds nothing of what was deleted", async () => {
      const id = await say([user("The orange fence")], "Yes.");
      await say([user("The other fence")], "No.");
      expect((await search("fence")).count).to.equal(2);
      await json("DELETE", `/v1/conversations/${id}`);
      expect(await texts("fence")).to.deep.equal(["The other fence"]);
    });

    verifies("search:imported", "finds what was imported, and not what it replaced", async () => {
      const id = await say([user("The old fence")], "Yes.");
      const { body: pack } = await json<Record<string, unknown>>("GET", `/v1/conversations/${id}/export`);
      const changed = JSON.parse(JSON.stringify(pack).replaceAll("old fence", "brand new gate")) as object;
      expect((await search("fence")).count).to.equal(1);
      const { status } = await json("POST", "/v1/conversations/import?onConflict=replace", changed);
      expect(status).to.equal(201);
      expect(await texts("fence")).to.deep.equal([]);
      expect(await texts('"brand new gate"')).to.deep.equal(["The brand new gate"]);
    });

    verifies("search:odd", "takes whatever is typed for plain words", async () => {
      await say([user('Salt AND pepper, text:body "quoted" 100% a_b')], "Noted; DROP TABLE nothing.");
      const odd = [
        ...["", " ", "*", '"', '""', '"salt', 'salt"', "salt*", "*salt", "s*t", "( salt", "salt )", "-salt"],
        ...["salt AND", "OR salt", "NOT", "NEAR(salt pepper)", "salt NEAR/2 pepper", "^salt", "text : salt"],
        ...["kind:user", "{text kind} : salt", "' OR 1=1 --", "'; DROP TABLE messages; --", "%", "_", "\\"],
        ...["\u0000", "salt\u0000pepper", "a\u0301", "東", "東京*", "😀", "\ufffd", "\u202e", "ß", "İ", "½"],
        ...["+ + +", '" * "', '"salt" *', "salt+pepper", "x".repeat(10_000), "x ".repeat(3_500)],
        ...['"a" '.repeat(1_200), "(".repeat(10_000), `"${"a ".repeat(3_500)}`, "a*".repeat(5_000)],
      ];
      for (const q of odd) {
        const { status, body } = await json<{ hits: readonly unknown[] }>(
          "GET",
          `/api/search?q=${encodeURIComponent(q)}`,
        );
        const shown = `${JSON.stringify(q).slice(0, 60)}: ${JSON.stringify(body).slice(0, 200)}`;
        expect(status, shown).to.equal(200);
      }
      expect((await json("GET", "/api/search?q=%ff%fe")).status).to.be.oneOf([200, 400]);
      expect((await search('"salt')).count).to.equal(1);
      expect((await search("-salt")).count).to.equal(1);
      expect((await search("salt NOT pepper")).count).to.equal(0);
      expect((await search("salt and pepper")).count).to.equal(1);
    });

    verifies("search:secrets", "shows no secrets in snippets", async () => {
      const key = `sk-proj-${"Ab3dEf9hIj".repeat(4)}`;
      await say([user(`My key is ${key}, remember it`)], "Fine.");
      expect(await texts("remember")).to.deep.equal(["My key is [redacted], remember it"]);
      expect(JSON.stringify(await search(key))).to.not.include(key.slice(8));
    });
  });

describe("the route of search", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage([chatReply({ text: "Good morning." })]);
  });
  afterEach(() => stage.end());

  verifies(
    "search:scope",
    "shows a token that may read what the list shows it, and others nothing",
    async () => {
      await chat(stage, { messages: [user("Hello")] });
      const tokenFor = async (...scopes: string[]) => {
        const { body } = await stage.host.json<{ secret: string }>("POST", "/api/tokens", {
          name: scopes.join(" "),
          scopes,
        });
        return { authorization: `Bearer ${body.secret}` };
      };
      const ask = async (headers: Readonly<Record<string, string>>) => {
        const answer = await fetch(`${stage.host.url}/api/search?q=morning`, { headers });
        return { status: answer.status, body: (await answer.json()) as FoundMessages & { error: object } };
      };
      const found = await ask(await tokenFor("read"));
      expect([found.status, found.body.count]).to.deep.equal([200, 1]);
      const refused = await ask(await tokenFor("chat", "tools"));
      expect(refused.status).to.equal(403);
      expect(refused.body.error).to.deep.include({ code: "insufficient_scope", details: { scope: "read" } });
    },
  );

  verifies("search:scope", "is not there when its group is switched off", async () => {
    await stage.end();
    stage = await openStage([], { settings: { "endpoints.search.enabled": false } });
    const { codeOf } = searchAt(() => stage);
    expect(await codeOf("/api/search?q=a")).to.deep.equal([404, "route_not_found"]);
  });
});
