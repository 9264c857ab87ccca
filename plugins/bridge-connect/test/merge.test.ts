import { expect } from "chai";
import { jsonFaultLine, mergeJson } from "../merge-json.ts";
import { mergeToml } from "../merge-toml.ts";
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

  it("go into a list where they are one: beside the person's entries, and into their own", () => {
    const ours = (url: string) => [{ name: "Pergola", vendor: "x", models: [{ id: "a", url }] }];
    expect(JSON.parse(mergeJson("[]", ours("1")) ?? "")).to.deep.equal(ours("1"));
    const mine = '// mine\n[\n\t{ "name": "Mine", "models": [{ "id": "a" }] }, // here\n]\n';
    const merged = mergeJson(mine, ours("1")) ?? "";
    expect(merged).to.include("// mine").and.include("// here").and.include('\t\t"name": "Pergola"');
    expect(mergeJson(merged, ours("1"))).to.equal(merged);
    const own = '[{ "name": "Pergola", "apiKey": "kept", "models": [{ "id": "b" }] }]';
    expect(JSON.parse(mergeJson(own, ours("2")) ?? "")).to.deep.equal([
      { name: "Pergola", apiKey: "kept", models: [{ id: "b" }, { id: "a", url: "2" }], vendor: "x" },
    ]);
    expect(mergeJson("{}", ours("1"))).to.equal(undefined);
    expect([jsonFaultLine("{}", ours("1")), jsonFaultLine("[]", ours("1"))]).to.deep.equal([1, undefined]);
  });

  it("leave a byte order mark where it is, and know the line of a fault", () => {
    const merged = mergeJson('\ufeff{\r\n  "a": 1\r\n}\r\n', agent) ?? "";
    expect(merged)
      .to.match(/^\ufeff\{\r\n {2}"a": 1,\r\n/)
      .and.include('"Pergola"');
    expect(mergeJson(merged, agent)).to.equal(merged);
    for (const [text, line] of [
      ['{\n  "a": 1,\n  b\n}', 3],
      ["\n[]", 1],
      ['\ufeff{"a": 1', 1],
      ['\ufeff{"a": 1}', undefined],
    ] as const)
      expect(jsonFaultLine(text), text).to.equal(line);
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

describe("settings that are merged into TOML", () => {
  const table = '[model_providers.pergola]\nname = "Pergola"\nbase_url = "http://127.0.0.1:1/v1"\n';
  const ours = `model = "a"\nmodel_provider = "pergola"\n\n${table}`;

  it("leave comments and the person's tables as they are, with keys above all tables", () => {
    const text =
      '# Mine\nmodel = "x" # fast\n\n[mcp_servers.files]\ncommand = "npx" # here\nargs = [ "-y",\n  "f" ]\n\n' +
      '[model_providers.local]\nname = "L"\n\n[projects."/a b"]\ntrust_level = "trusted"\n# The end\n';
    const merged = mergeToml(text, ours) ?? "";
    expect(merged).to.equal(
      `${text.replace('model = "x" # fast\n', 'model = "a" # fast\nmodel_provider = "pergola"\n')}\n${table}`,
    );
    expect(mergeToml(merged, ours)).to.equal(merged);
  });

  it("go above the first table where the file has no other keys, with its ends of lines", () => {
    expect(mergeToml("[tui]\r\nbell = true\r\n", ours)).to.equal(
      `model = "a"\nmodel_provider = "pergola"\n\n[tui]\nbell = true\n\n${table}`.replaceAll("\n", "\r\n"),
    );
  });

  it("take the place of what they were for another service, and of nothing else", () => {
    const old = `${ours.replace(":1/", ":2/")}env_key = "PERGOLA_TOKEN"\n\n[tui]\nbell = true # loud\n`;
    expect(mergeToml(old, ours)).to.equal(`${ours}\n[tui]\nbell = true # loud\n`);
  });

  it("go into tables that are written in one line, or with dots", () => {
    const line =
      'model_providers = { local = { name = "L" } } # one\nwhen = 1979-05-27T07:32:00Z\nmask = 0xff\n';
    const merged = mergeToml(line, ours) ?? "";
    expect(merged).to.include('local = { name = "L" }, pergola = { name = "Pergola"');
    expect(merged).to.include("} # one\n").and.include("1979-05-27T07:32:00Z\nmask = 0xff\n");
    const dotted = mergeToml('model_providers.local.name = "L"\ntui.theme = "x" # c\n', ours) ?? "";
    expect(dotted).to.include('model_providers.local.name = "L"\ntui.theme = "x" # c\n');
    expect(dotted).to.include("Pergola");
  });

  it("go into no text with faults", () => {
    for (const text of ["a = ", "[a", "a = 1\na = 2\n", "{}"])
      expect(mergeToml(text, ours)).to.equal(undefined);
  });
});
