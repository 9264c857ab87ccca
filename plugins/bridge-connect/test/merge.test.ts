import { expect } from "chai";
import { mergeJson } from "../merge-json.ts";
import { mergeYaml } from "../merge-yaml.ts";

const agent = { agent_servers: { Pergola: { command: "pergola", args: ["acp"] } } };

describe("settings that are merged into JSON", () => {
  it("leave comments, trailing commas, indentation and other keys as they are", () => {
    const text =
      '// Mine\n{\n\t"theme": "One", // dark\n\t"agent_servers": {\n\t\t"Other": { "command": "x" },\n\t},\n}\n';
    const merged = mergeJson(text, agent) ?? "";
    expect(merged).to.include("// Mine").and.include('"theme": "One", // dark');
    expect(merged)
      .to.match(/"Other": \{\s+"command": "x"/)
      .and.include('\t\t"Pergola": {\n');
    expect(mergeJson(merged, agent)).to.equal(merged);
  });

  it("replace what is theirs, and keep the person's own entries of a list", () => {
    const before = { providers: { pergola: { apiKey: "old", note: "mine", models: [{ id: "a" }] } } };
    const ours = { providers: { pergola: { apiKey: "unused", models: [{ id: "b" }] } } };
    expect(JSON.parse(mergeJson(JSON.stringify(before), ours) ?? "")).to.deep.equal({
      providers: { pergola: { apiKey: "unused", note: "mine", models: [{ id: "a" }, { id: "b" }] } },
    });
    const old = '{"agent_servers": {"Pergola": {"command": "pergola", "args": ["acp", "--port", "1"]}}}';
    expect(JSON.parse(mergeJson(old, agent) ?? "")).to.deep.equal(agent);
  });

  it("take out what Pergola wrote for another service, and nothing of the person's", () => {
    const stale = [{ path: ["env", "KEY"], isOurs: (value: unknown) => value === "unused" }];
    const without = mergeJson('{"env": {"KEY": "unused", "A": "1"}}', {}, stale);
    expect(JSON.parse(without ?? "")).to.deep.equal({ env: { A: "1" } });
    expect(mergeJson('{"env": {"KEY": "mine"}}', {}, stale)).to.equal('{"env": {"KEY": "mine"}}');
    expect(mergeJson("{}", {}, stale)).to.equal("{}");
  });

  it("go into no text with faults, and into no list", () => {
    for (const text of ['{"a": 1', "[]", '"a"', "{a: 1}", "null"])
      expect(mergeJson(text, agent)).to.equal(undefined);
  });

  it("take a key __proto__ for a key", () => {
    const merged = mergeJson('{"__proto__": {"agent_servers": 1}, "a": 1}', agent) ?? "";
    expect(merged).to.include('"__proto__"').and.include('"Pergola"');
    expect(({} as { agent_servers?: unknown }).agent_servers).to.equal(undefined);
  });
});

describe("settings that are merged into YAML", () => {
  const ours = { name: "Pergola", models: [{ name: "Pergola", model: "a", roles: ["chat"] }] };

  it("leave comments, the person's own name and other models as they are", () => {
    const text = "# Mine\nname: My agent\nmodels:\n  # the small one\n  - name: Small\n    model: x # fast\n";
    const merged = mergeYaml(text, ours) ?? "";
    expect(merged.startsWith(text)).to.equal(true);
    expect(merged).to.include("  - name: Pergola\n    model: a\n");
    expect(mergeYaml(merged, ours)).to.equal(merged);
    expect(mergeYaml(merged.replace("model: a", "model: b"), ours)).to.equal(merged);
  });

  it("go into no text with faults, and into no list", () => {
    for (const text of ["a: [1", "- a", "a: 1\na: 2", "text"])
      expect(mergeYaml(text, ours)).to.equal(undefined);
  });
});
