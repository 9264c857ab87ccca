import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync } from "node:fs";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { openStage, type Stage } from "../support/host.ts";
import { eventually } from "../support/lab-stage.ts";

interface Written {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly mimeType: string;
  readonly callId: string;
  readonly error?: { readonly code: string };
}

interface Listed {
  readonly workingDirectory: string;
  readonly path: string;
  readonly count: number;
  readonly entries: readonly {
    readonly name: string;
    readonly path: string;
    readonly kind: string;
    readonly size: number;
    readonly mimeType: string | null;
  }[];
}

type Body = NonNullable<RequestInit["body"]>;

const [mostBytes, mostInAll] = [100_000, 250_000];

describe("files of a conversation", function () {
  this.timeout(60_000);
  let stage: Stage;
  let folder: string;
  let outside: string;
  let base: string;
  const secrets = temporaryFolder();
  before(async () => {
    stage = await openStage(undefined, {
      settings: {
        "files.max_upload_bytes": mostBytes,
        "files.max_total_bytes": mostInAll,
        "authorization.protected_paths": [secrets],
      },
    });
  });
  beforeEach(async () => {
    folder = temporaryFolder();
    outside = temporaryFolder();
    base = await converse(folder);
  });
  after(() => stage.end());

  const converse = async (workingDirectory: string): Promise<string> => {
    const { status, body } = await stage.host.json<{ id: string }>("POST", "/v1/conversations", {
      title: "Files",
      workingDirectory,
    });
    expect(status, JSON.stringify(body)).to.equal(201);
    return `/v1/conversations/${body.id}/files`;
  };
  const at = (name: string): string => path.join(folder, name);
  const send = (route: string, init: RequestInit = {}) => fetch(`${stage.host.url}${base}${route}`, init);
  const put = async (route: string, body: Body, headers: Record<string, string> = {}) => {
    const answer = await send(route, { method: "PUT", body, headers, ...streaming(body) });
    return { status: answer.status, body: (await answer.json()) as Written };
  };
  const streaming = (body: Body): object => (body instanceof ReadableStream ? { duplex: "half" } : {});
  const refusal = async (...request: Parameters<typeof put>) => {
    const { status, body } = await put(...request);
    return [status, body.error?.code];
  };
  const list = async (query = ""): Promise<Listed> => (await send(query)).json() as Promise<Listed>;
  const uploads = (): readonly string[] => {
    const waiting = path.join(stage.host.dataDirectory, "uploads");
    return existsSync(waiting) ? readdirSync(waiting) : [];
  };
  const revert = ({ callId }: Written) =>
    stage.host.json<{ success: boolean }>("POST", `/api/runs/${callId}/revert`, {});

  it("are uploaded, listed, downloaded and taken back", async () => {
    const text = "Grüße";
    const { status, body } = await put("/notes/of%20today.txt", text, { "content-type": "image/png" });
    expect(status).to.equal(201);
    expect(body).to.deep.include({
      path: "notes/of today.txt",
      size: Buffer.byteLength(text),
      sha256: createHash("sha256").update(text).digest("hex"),
      mimeType: "text/plain; charset=utf-8",
    });
    expect(statSync(at("notes/of today.txt")).mode & 0o777).to.equal(0o644);
    writeFileSync(at("b.png"), "x");
    const all = await list();
    expect(all.workingDirectory).to.equal(folder);
    expect(all.entries.map(({ path: file, kind, mimeType }) => [file, kind, mimeType])).to.deep.equal([
      ["b.png", "file", "image/png"],
      ["notes", "directory", null],
    ]);
    expect((await list("?limit=1&offset=1")).entries.map(({ name }) => name)).to.deep.equal(["notes"]);
    expect((await list("?path=notes")).entries[0]?.path).to.equal("notes/of today.txt");
    const sent = await send("/notes/of%20today.txt");
    expect(await sent.text()).to.equal(text);
    expect(sent.headers.get("content-disposition")).to.equal("attachment; filename*=UTF-8''of%20today.txt");
    expect((await revert(body)).body.success).to.equal(true);
    expect(readdirSync(folder)).to.deep.equal(["b.png"]);
    expect((await send("/notes/of%20today.txt")).status).to.equal(404);
    expect(uploads()).to.deep.equal([]);
  });

  it("are replaced when that is asked for, and come back", async () => {
    writeFileSync(at("a.txt"), "old");
    expect(await refusal("/a.txt", "new")).to.deep.equal([409, "id_taken"]);
    expect(readFileSync(at("a.txt"), "utf8")).to.equal("old");
    const { status, body } = await put("/a.txt?overwrite=true", "new");
    expect([status, readFileSync(at("a.txt"), "utf8")]).to.deep.equal([201, "new"]);
    await revert(body);
    expect(readFileSync(at("a.txt"), "utf8")).to.equal("old");
    mkdirSync(at("sub"));
    expect(await refusal("/sub?overwrite=true", "x")).to.deep.equal([400, "invalid_value"]);
  });

  it("never have a type that a browser would run", async () => {
    for (const name of ["page.html", "drawing.svg", "code.js", "form.xhtml", "paper.pdf"]) {
      await put(`/${name}`, "<script>alert(1)</script>", { "content-type": "text/html" });
      const { headers } = await send(`/${name}`);
      expect(headers.get("content-type"), name).to.equal("application/octet-stream");
      expect(headers.get("content-security-policy")).to.equal("sandbox");
      expect(headers.get("x-content-type-options")).to.equal("nosniff");
      expect(headers.get("content-disposition")).to.match(/^attachment;/);
    }
  });

  it("have one of the types that the OpenAPI document declares", async () => {
    interface Read {
      readonly get: { readonly responses: { readonly 200: { readonly content: object } } };
    }
    type Document = { readonly paths: Readonly<Record<string, Read>> };
    const { body } = await stage.host.json<Document>("GET", "/openapi.json");
    const { content } = body.paths["/v1/conversations/{conversationId}/files/{path}"]!.get.responses[200];
    for (const name of ["a.md", "a.png", "a.jpg", "a.gif", "a.webp", "a.html"]) {
      writeFileSync(at(name), "x");
      const { headers } = await send(`/${name}`);
      expect(content, name).to.have.property(headers.get("content-type")?.split(";")[0] ?? "");
    }
  });

  it("lie in the working directory, whatever a path says", async () => {
    symlinkSync(outside, at("link"));
    symlinkSync(path.join(outside, "fresh.txt"), at("dangling.txt"));
    writeFileSync(path.join(outside, "there.txt"), "secret");
    symlinkSync(path.join(outside, "there.txt"), at("leads-out.txt"));
    const paths = [
      "/%2e%2e%2fup.txt",
      "/a%2f..%2f..%2fup.txt",
      `/${encodeURIComponent(path.join(outside, "abs.txt"))}`,
      "/%2fetc%2fpergola-test",
      "/~%2fpergola-test",
      "/a%00b",
      "/link/x.txt",
      "/dangling.txt",
      "/leads-out.txt?overwrite=true",
    ];
    for (const file of paths) expect(await refusal(file, "x"), file).to.deep.equal([400, "invalid_value"]);
    for (const file of paths) expect((await send(file)).status, file).to.be.oneOf([400, 404]);
    expect(readdirSync(outside)).to.deep.equal(["there.txt"]);
    expect(readFileSync(path.join(outside, "there.txt"), "utf8")).to.equal("secret");
    expect(existsSync(path.join(path.dirname(folder), "up.txt"))).to.equal(false);
    expect((await send(`?path=${encodeURIComponent("../")}`)).status).to.equal(400);
    expect((await send("?path=link")).status).to.equal(400);
  });

  it("have no protected name, and are in no store of credentials", async () => {
    for (const file of [".envrc", ".git/hooks/pre-commit", ".vscode/tasks.json", "sub/CLAUDE.md", ".npmrc"]) {
      expect(await refusal(`/${file}`, "x"), file).to.deep.equal([400, "invalid_value"]);
      expect(existsSync(at(file)), file).to.equal(false);
    }
    writeFileSync(path.join(secrets, "key"), "canary");
    base = await converse(path.dirname(secrets));
    const route = `/${path.basename(secrets)}/key`;
    expect((await send(route)).status).to.equal(404);
    expect(await refusal(`${route}?overwrite=true`, "x")).to.deep.equal([400, "invalid_value"]);
    expect(readFileSync(path.join(secrets, "key"), "utf8")).to.equal("canary");
  });

  it("go nowhere else when a folder becomes a link while they come", async () => {
    mkdirSync(at("deep"));
    const body = new ReadableStream({
      start: (pieces) => pieces.enqueue(new TextEncoder().encode("half")),
      async pull(pieces) {
        await eventually(async () => (uploads().length > 0 ? true : undefined));
        renameSync(at("deep"), at("moved"));
        symlinkSync(outside, at("deep"));
        pieces.close();
      },
    });
    expect(await refusal("/deep/x.txt", body)).to.deep.equal([400, "invalid_value"]);
    expect([readdirSync(outside), readdirSync(at("moved")), uploads()]).to.deep.equal([[], [], []]);
  });

  it("are refused above the sizes of the settings, announced or not", async () => {
    const large = Buffer.alloc(mostBytes + 1);
    const pieces = () => new Blob([large]).stream();
    expect(await refusal("/large.bin", large)).to.deep.equal([413, "request_too_large"]);
    expect(await refusal("/large.bin", pieces())).to.deep.equal([413, "request_too_large"]);
    const fits = Buffer.alloc(mostBytes);
    expect((await put("/one.bin", fits)).status).to.equal(201);
    expect((await put("/two.bin", fits)).status).to.equal(201);
    expect(await refusal("/three.bin", fits)).to.deep.equal([413, "request_too_large"]);
    expect((await put("/three.bin", Buffer.alloc(mostInAll - 2 * mostBytes))).status).to.equal(201);
    expect((await list()).entries.map(({ name }) => name)).to.deep.equal(["one.bin", "three.bin", "two.bin"]);
    expect(Buffer.from(await (await send("/one.bin")).arrayBuffer()).equals(fits)).to.equal(true);
    expect(uploads()).to.deep.equal([]);
  });

  it("leave nothing behind when they are cut off", async () => {
    const { hostname, port, host } = new URL(stage.host.url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on("error", () => undefined);
    socket.write(`PUT ${base}/new/cut.txt HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1000\r\n\r\nhalf`);
    await eventually(async () => (uploads().length > 0 ? true : undefined));
    socket.destroy();
    await eventually(async () => (uploads().length === 0 ? true : undefined));
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it("are not for pages of other sites", async () => {
    writeFileSync(at("a.txt"), "mine");
    const headers = { origin: "https://evil.example" };
    expect((await send("/a.txt", { headers })).status).to.equal(403);
    expect(await refusal("/b.txt", "theirs", headers)).to.deep.equal([403, "forbidden_origin"]);
    expect(readdirSync(folder)).to.deep.equal(["a.txt"]);
  });
});
