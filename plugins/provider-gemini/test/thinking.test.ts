import { expect } from "chai";
import type { ModelCall } from "@pergola/sdk";
import { sent } from "./support.ts";

describe("a wish to think that is sent to Gemini", () => {
  const thinking: readonly (readonly [
    model: string,
    wish: ModelCall["thinking"],
    config: object | undefined,
    warns?: boolean,
  ])[] = [
    ["gemini-3-flash", { mode: "enabled" }, { includeThoughts: true }],
    ["gemini-3.1-pro", { mode: "enabled", effort: "high" }, { includeThoughts: true, thinkingLevel: "high" }],
    ["gemini-4-pro", { mode: "enabled", budgetTokens: 900 }, { includeThoughts: true, thinkingLevel: "low" }],
    [
      "gemini-flash-latest",
      { mode: "enabled", budgetTokens: 30_000 },
      { includeThoughts: true, thinkingLevel: "high" },
    ],
    ["gemini-3-flash", { mode: "adaptive" }, { includeThoughts: true }],
    ["gemini-3-flash", { mode: "disabled" }, { thinkingLevel: "low" }, true],
    ["gemini-2.5-flash", { mode: "enabled" }, { includeThoughts: true }],
    ["gemini-2.5-flash", { mode: "enabled", effort: "low" }, { includeThoughts: true, thinkingBudget: 1024 }],
    [
      "gemini-2.5-flash",
      { mode: "enabled", effort: "low", budgetTokens: 99_999 },
      { includeThoughts: true, thinkingBudget: 24_576 },
    ],
    ["gemini-2.5-pro", { mode: "enabled", budgetTokens: 1 }, { includeThoughts: true, thinkingBudget: 128 }],
    ["gemini-2.5-flash", { mode: "disabled" }, { thinkingBudget: 0 }],
    ["gemini-2.5-pro", { mode: "disabled" }, { thinkingBudget: 128 }, true],
    ["gemini-2.0-flash", { mode: "enabled" }, undefined, true],
    ["gemini-2.0-flash", { mode: "disabled" }, undefined],
    ["gemma-3-27b-it", { mode: "adaptive" }, undefined],
  ];
  for (const [model, wish, config, warns = false] of thinking) {
    it(`tells ${model} ${JSON.stringify(wish)} as ${JSON.stringify(config)}`, async () => {
      const { body, warnings } = await sent({ model, ...(wish === undefined ? {} : { thinking: wish }) });
      expect(body.generationConfig?.["thinkingConfig"]).to.deep.equal(config);
      expect(warnings.length).to.equal(warns ? 1 : 0);
    });
  }
});
