import { readFileSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { installCommand, library } from "../library.ts";

const modules = path.join("node_modules", "pergola", "node_modules", "@pergola", "provider-local-llama");

describe("the library that runs model files", () => {
  it("is the one that the plugin is tested with", () => {
    const file = path.join(import.meta.dirname, "..", "package.json");
    const { dependencies } = JSON.parse(readFileSync(file, "utf8")) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    expect(library).to.equal(`node-llama-cpp@${dependencies["node-llama-cpp"]}`);
  });

  it("is installed where the plugin finds it: for all folders, or in the project that has Pergola", () => {
    const folder = path.join(temporaryFolder(), "my project");
    mkdirSync(folder);
    expect(installCommand(path.join(folder, modules, "dist"))).to.equal(`npm install --global ${library}`);
    writeFileSync(path.join(folder, "package.json"), "{}");
    expect(installCommand(path.join(folder, modules, "dist"))).to.equal(
      `npm install --prefix "${folder}" ${library}`,
    );
  });
});
