import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Door } from "../client.ts";

/** What a peer's program is started with. */
export interface Scene {
  /** Where it is installed. */
  readonly folder: string;
  readonly mock: number;
  readonly port: number;
  /** The files that its tool reads. */
  readonly files: string;
}

export interface Peer {
  readonly name: string;
  readonly packages: readonly string[];
  /** The program and its arguments. */
  readonly args: (scene: Scene) => readonly string[];
  /** What must stand in its folder before it is started. */
  readonly prepare?: (scene: Scene) => void;
}

/** It passes chat requests on: where, and in which form. */
export interface Gateway extends Peer {
  readonly door: (scene: Scene) => Door;
  readonly note?: string;
}

/** It runs loops of tool calls: what it is asked, and where. */
export interface AgentHost extends Peer {
  readonly ask: (scene: Scene, model: string, text: string) => { readonly door: Door; readonly body: string };
  readonly note: string;
}

const doorOf = (port: number, at: string): Door => ({ port, path: at, prefix: "" });
const inPackage = ({ folder }: Scene, file: string): string => path.join(folder, "node_modules", file);

const portkeyProgram = "@portkey-ai/gateway/build/start-server.js";

/**
 * With today's dependencies it answers every stream with "Something went wrong": it changes headers that
 * cannot be changed. It is measured with a copy of the answer in that place.
 */
function mendPortkey(scene: Scene): void {
  const file = inPackage(scene, portkeyProgram);
  const text = readFileSync(file, "utf8");
  const [wrong, right] = [
    "updateHeaders(e,t,a){return e",
    "updateHeaders(e,t,a){e=new Response(e.body,e);return e",
  ];
  writeFileSync(file, text.replace(wrong, right));
}

const routerHome = ({ folder }: Scene): string => path.join(folder, ".claude-code-router");

function configureRouter(scene: Scene): void {
  const list = [
    {
      name: "mock",
      api_base_url: `http://127.0.0.1:${scene.mock}/v1/chat/completions`,
      api_key: "x",
      models: ["echo", "s-2-1", "s-5-50", "s-30-50"],
    },
  ];
  const config = { HOST: "127.0.0.1", PORT: scene.port, LOG: false, Providers: list };
  mkdirSync(routerHome(scene), { recursive: true });
  const file = path.join(routerHome(scene), "config.json");
  writeFileSync(file, JSON.stringify({ ...config, Router: { default: "mock,echo" } }));
}

export const gateways: readonly Gateway[] = [
  {
    name: "Portkey 1.15.2",
    packages: ["@portkey-ai/gateway@1.15.2"],
    args: (scene) => [inPackage(scene, portkeyProgram), "--headless", `--port=${scene.port}`],
    prepare: mendPortkey,
    door: ({ mock, port }) => ({
      ...doorOf(port, "/v1/chat/completions"),
      headers: {
        authorization: "Bearer x",
        "x-portkey-provider": "openai",
        "x-portkey-custom-host": `http://127.0.0.1:${mock}/v1`,
      },
    }),
    note: "one line mended, without which its streams fail; keeps nothing",
  },
  {
    name: "claude-code-router 2.0.0",
    packages: ["@musistudio/claude-code-router@2.0.0"],
    args: (scene) => [inPackage(scene, "@musistudio/claude-code-router/dist/cli.js"), "start"],
    prepare: configureRouter,
    door: ({ port }) => ({
      ...doorOf(port, "/v1/messages"),
      prefix: "mock,",
      headers: { "x-api-key": "x", "anthropic-version": "2023-06-01" },
      more: { max_tokens: 1000 },
    }),
    note: "keeps nothing",
  },
];

export const hosts: readonly AgentHost[] = [
  {
    name: "VoltAgent 2.10",
    packages: [
      "@voltagent/core@2.10.0",
      "@voltagent/server-hono@2.0.14",
      "@ai-sdk/openai-compatible@2",
      "zod@4",
    ],
    args: ({ folder, mock, files, port }) => [
      path.join(folder, "voltagent.mjs"),
      String(mock),
      files,
      String(port),
    ],
    ask: ({ port }, model, text) => ({
      door: doorOf(port, `/agents/${model}/stream`),
      body: JSON.stringify({ input: text }),
    }),
    note: "keeps messages in memory",
  },
  {
    name: "ai 6",
    packages: ["ai@6", "@ai-sdk/openai-compatible@2", "zod@4"],
    args: ({ folder, mock, files, port }) => [path.join(folder, "ai.mjs"), String(mock), files, String(port)],
    ask: ({ port }, model, text) => ({ door: doorOf(port, "/"), body: JSON.stringify({ model, text }) }),
    note: "a library behind a bare server; keeps nothing",
  },
];
