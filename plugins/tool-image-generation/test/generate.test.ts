import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import type { JsonObject, ToolContext } from "@pergola/sdk";
import { temporaryFolder, toolContext, type TestSetup } from "@pergola/sdk/testing";
import { bytes, json, made, silence, type Answer } from "./fake-service.ts";
import { failure, png, pngUrl, studio } from "./studio.ts";

type Studio = Awaited<ReturnType<typeof studio>>;
const post = "POST /v1/chat/completions";

describe("generate", () => {
  let open: Studio;
  const scene = async (
    answers: Readonly<Record<string, Answer>>,
    setup: Partial<ToolContext> & TestSetup = {},
  ) => (open = await studio(answers, setup));
  afterEach(() => open.stop());

  it("asks as the service wants to be asked, and saves what it made", async () => {
    const { generate, asked, files, file, context } = await scene({ [post]: made(pngUrl) });
    const { images, model, seed } = await generate({
      negative_prompt: "dogs",
      width: 512,
      height: 256,
      steps: 9,
    });
    expect(asked).to.deep.equal([
      {
        method: "POST",
        path: "/v1/chat/completions",
        key: "key-1",
        body: {
          model: "sd",
          messages: [{ role: "user", content: "a red fox" }],
          metadata: {
            steps: 9,
            guidance_scale: 7.5,
            scheduler: "ddim",
            seed: 7,
            width: 512,
            height: 256,
            negative_prompt: "dogs",
          },
        },
      },
    ]);
    const url = pathToFileURL(path.join(context.workingDirectory, "images/a-red-fox-7.png")).href;
    expect({ images, model, seed }).to.deep.equal({
      images: [{ path: "images/a-red-fox-7.png", url }],
      model: "sd",
      seed: 7,
    });
    expect(files()).to.deep.equal(["a-red-fox-7.png"]);
    expect(file("a-red-fox-7.png")).to.deep.equal(png);
    expect(context.progressed).to.deep.equal(["Waiting for sd", "Fetching image 1 of 1"]);
  });

  it("takes the service's first model, and tells the seed that it chose", async () => {
    const { run, asked } = await scene({
      "GET /v1/models": json({ data: [{ id: "first" }, { id: "second" }] }),
      [post]: made(pngUrl),
    });
    const { model, seed } = (await run("generate", { prompt: "x" })).data as {
      readonly model: string;
      readonly seed: number;
    };
    const { body } = asked[1] as {
      readonly body: { readonly model: string; readonly metadata: { readonly seed: number } };
    };
    expect([model, body.model]).to.deep.equal(["first", "first"]);
    expect([Number.isInteger(seed), body.metadata.seed]).to.deep.equal([true, seed]);
  });

  it("fetches images from the service with the key, by full and by relative addresses", async () => {
    const jpeg = Buffer.from("ffd8ffe000104a46", "hex");
    const answers: Record<string, Answer> = {
      "GET /v1/out/1.png": bytes(png),
      "GET /files/2": bytes(jpeg, "text/html"),
    };
    answers[post] = (response, request) =>
      made(`http://${request.headers.host}/files/2`, "out/1.png")(response, request);
    const { generate, asked, origin, file } = await scene(answers);
    const { images } = await generate();
    expect(images).to.deep.equal([
      { path: "images/a-red-fox-7.jpg", url: `${origin}/files/2` },
      { path: "images/a-red-fox-7.png", url: `${origin}/v1/out/1.png` },
    ]);
    expect([file("a-red-fox-7.jpg"), file("a-red-fox-7.png")]).to.deep.equal([jpeg, png]);
    expect(asked.map(({ key }) => key)).to.deep.equal(["key-1", "key-1", "key-1"]);
  });

  it("finds a service that calls itself by another name of its machine", async () => {
    const answers: Record<string, Answer> = { "GET //cdn.example/2?a=b": bytes(png) };
    answers[post] = (response, request) =>
      made(`http://0.0.0.0:${request.socket.localPort}//cdn.example/2?a=b`)(response, request);
    const { generate, origin } = await scene(answers);
    expect((await generate()).images[0]?.url).to.equal(`${origin}//cdn.example/2?a=b`);
  });

  it("fetches an image elsewhere through the door, without the key", async () => {
    const calls: unknown[] = [];
    const fetch: ToolContext["fetch"] = async (...call) => {
      if (call[0].startsWith(origin))
        return toolContext({ configured: { origins: [origin] } }).fetch(...call);
      return (calls.push(call), new Response(png));
    };
    const { generate, origin } = await scene({ [post]: made("https://cdn.example/a.png") }, { fetch });
    expect((await generate()).images[0]?.url).to.equal("https://cdn.example/a.png");
    expect(calls).to.deep.equal([
      ["https://cdn.example/a.png", { maxBytes: 32 * 2 ** 20, timeoutSeconds: 120 }],
    ]);
  });

  for (const address of [
    "http://127.0.0.1:1/x.png",
    "https://169.254.169.254/latest",
    "https://[::1]/x.png",
  ]) {
    it(`does not let the service send it to ${address}`, async () => {
      const { generate, files } = await scene({ [post]: made(pngUrl, address) });
      expect((await failure(generate())).code).to.equal("permission_denied");
      expect(files()).to.deep.equal([]);
    });
  }

  const unusable: readonly (readonly [string, unknown, string])[] = [
    [
      "a page instead of an image",
      `data:image/png;base64,${Buffer.from("<html>").toString("base64")}`,
      "no image",
    ],
    [
      "SVG, which can hold programs",
      `data:image/svg+xml;base64,${Buffer.from("<svg/>").toString("base64")}`,
      "no image",
    ],
    ["an empty image", "data:image/png;base64,", "no image"],
    ["a data URL that is not base64", "data:image/png,abc", "a form that cannot be read"],
    ["a file of this machine", "file:///etc/passwd", "not one of the web"],
    [
      "an image above 32 MiB",
      `data:image/png;base64,${Buffer.concat([png, Buffer.alloc(2 ** 25)]).toString("base64")}`,
      "too large",
    ],
  ];
  for (const [what, address, problem] of unusable) {
    it(`refuses ${what}, and saves none of the others`, async () => {
      const { generate, files } = await scene({ [post]: made(pngUrl, address) });
      const { code, message, hint } = await failure(generate());
      expect([code, hint === ""]).to.deep.equal(["network_error", false]);
      expect(message).to.contain(problem);
      expect(files()).to.deep.equal([]);
    });
  }

  const answers: readonly (readonly [string, Answer, string, RegExp])[] = [
    ["no image", made(), "generic_error", /made no image/],
    ["no choices", json({ choices: [] }), "generic_error", /made no image/],
    ["nonsense", json([null]), "generic_error", /made no image/],
    ["17 images", made(...Array.from({ length: 17 }, () => pngUrl)), "generic_error", /more than 16/],
    ["a page", bytes(Buffer.from("<html>"), "text/html"), "network_error", /not answer in JSON/],
    [
      "a refusal",
      json({ error: { message: "width must be\na multiple of 8" } }, 400),
      "invalid_value",
      /400: width must be a multiple of 8$/,
    ],
    ["a wrong key", json({ detail: "Bad key" }, 401), "unavailable", /401: Bad key$/],
    ["an unknown model", json({ message: "x".repeat(9999) }, 404), "not_found", /404: x{300}$/],
    ["a fault", json("oops", 500), "network_error", /answered 500\.$/],
    [
      "a redirect",
      (response) => void response.writeHead(302, { location: "https://example.com" }).end(),
      "network_error",
      /answered 302/,
    ],
    ["a cut", (response) => void response.destroy(), "network_error", /cannot be asked: The request failed/],
  ];
  for (const [what, answer, code, problem] of answers) {
    it(`says what is wrong when the service gives ${what}`, async () => {
      const error = await failure((await scene({ [post]: answer })).generate());
      expect(error.code).to.equal(code);
      expect(error.message).to.match(problem);
      expect(error.hint).to.not.equal("");
      expect(error.message + error.hint).to.not.contain("key-1");
    });
  }

  it("does not wait for more than it would take", async () => {
    let sent = 0;
    const endless: Answer = (response) => {
      const piece = Buffer.alloc(2 ** 20, " ");
      const more = (): void =>
        void (response.destroyed || response.write(piece, () => ((sent += 1), more())));
      more();
    };
    expect((await failure((await scene({ [post]: endless })).generate())).message).to.contain(
      "The answer is too large",
    );
    expect(sent).to.be.within(90, 130);
  });

  it("ends the request at once when the call is cancelled", async () => {
    const abort = new AbortController();
    const { generate, asked, closed } = await scene({ [post]: silence }, { signal: abort.signal });
    const call = failure(generate());
    while (asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const start = Date.now();
    abort.abort();
    expect((await call).code).to.equal("cancelled");
    while (closed() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(Date.now() - start).to.be.below(1000);
  });

  it("never replaces a file", async () => {
    const { generate, context, files, file } = await scene({ [post]: made(pngUrl, pngUrl) });
    mkdirSync(path.join(context.workingDirectory, "images"));
    writeFileSync(path.join(context.workingDirectory, "images/a-red-fox-7.png"), "mine");
    await generate();
    expect(files()).to.deep.equal(["a-red-fox-7-2.png", "a-red-fox-7-3.png", "a-red-fox-7.png"]);
    expect(file("a-red-fox-7.png").toString()).to.equal("mine");
  });

  it("does not write where a link leads out of the working directory", async () => {
    const { generate, context, files } = await scene({ [post]: made(pngUrl) });
    symlinkSync(temporaryFolder(), path.join(context.workingDirectory, "images"));
    expect((await failure(generate())).code).to.equal("permission_denied");
    expect(files()).to.deep.equal([]);
  });

  const prompts: readonly (readonly [prompt: string, file: string])[] = [
    ["../../etc/passwd", "etc-passwd-7.png"],
    ["Ein Käse, bitte!", "ein-kase-bitte-7.png"],
    ["狐", "image-7.png"],
    ["\0\n", "image-7.png"],
    ["con", "con-7.png"],
    [`${"x".repeat(99)} fox`, "fox-7.png"],
    ["one two three four five six seven eight nine ten", "one-two-three-four-five-six-seven-eight-7.png"],
  ];
  for (const [prompt, name] of prompts) {
    it(`saves ${JSON.stringify(prompt.slice(0, 60))} as ${name}`, async () => {
      const { generate, files } = await scene({ [post]: made(pngUrl) });
      await generate({ prompt } satisfies JsonObject);
      expect(files()).to.deep.equal([name]);
    });
  }
});
