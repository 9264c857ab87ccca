import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { openStage, type Stage } from "../support/host.ts";
import { clients } from "./live/clients/index.ts";
import { drive } from "./live/drive.ts";
import type { Feature } from "./live/feature.ts";
import { StoneModel } from "./live/model.ts";
import { openRelay, type Relay } from "./live/relay.ts";
import { killAll } from "./live/running.ts";
import type { Setting } from "./live/turn.ts";

/** What is not covered by the other tests of these libraries; `npm run clients` drives all there is. */
const driven: Readonly<Record<string, readonly Feature[]>> = {
  "openai: chat": ["stream", "steps", "parallel", "resume"],
  "openai: Responses": ["steps", "resume"],
  "openai: Responses, items": ["parallel", "resume"],
  "Anthropic SDK: Messages": ["stream", "steps", "parallel", "resume"],
  "AI SDK: compatible": ["cancel", "steps", "resume"],
  "Zed: agent": ["stream", "steps", "cancel", "resume"],
  "JetBrains: agent": ["parallel", "error"],
  "Claude Desktop: MCP": ["steps", "error", "cancel", "resume"],
  "VS Code: Ollama": ["resume"],
  "JetBrains AI Assistant: Ollama": ["stream"],
  "Home Assistant: Ollama": ["parallel"],
  "Open WebUI: Ollama": ["steps"],
  "MCP SDK": ["steps", "parallel", "cancel", "resume"],
};

describe("a program on the library", () => {
  let stage: Stage;
  let relay: Relay;
  before(async () => {
    stage = await openStage();
    relay = await openRelay(stage.host.url);
  });
  after(async () => {
    killAll();
    await relay.close();
    await stage.end();
  });

  for (const [name, features] of Object.entries(driven))
    for (const feature of features)
      it(`${name}: ${feature}`, async () => {
        const setting: Setting = {
          client: clients.find((one) => one.name === name)!,
          model: new StoneModel(stage.provider),
          relay,
          bin: path.dirname(process.execPath),
          packages: path.join(import.meta.dirname, "live"),
          scratch: temporaryFolder("pergola-clients-"),
          runs: [],
        };
        expect(await drive(feature, setting)).to.deep.equal({ verdict: "pass" });
      }).timeout(240_000);
});
