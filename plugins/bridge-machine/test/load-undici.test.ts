import { execFileSync } from "node:child_process";
import { expect } from "chai";

/** What a process of its own, which has loaded nothing else of undici, prints of a part. */
function printed(expression: string): string {
  const file = JSON.stringify(new URL("../load-undici.ts", import.meta.url).href);
  const code = `const { loadUndici } = await import(${file}); console.log(${expression});`;
  const args = ["--import", "tsx", "--input-type=module", "--eval", code];
  return execFileSync(process.execPath, args, { encoding: "utf8" }).trim();
}

describe("undici in parts", () => {
  it("has agents that send requests, whoever loads them first", () => {
    expect(printed('typeof new (loadUndici("Agent"))().request')).to.equal("function");
  });

  it("has pools that dispatch, and connectors", () => {
    expect(printed('typeof new (loadUndici("Pool"))("http://localhost").dispatch')).to.equal("function");
    expect(printed('typeof loadUndici("buildConnector")({})')).to.equal("function");
  });
});
