import { expect } from "chai";
import { openTools, type ToolStage } from "../support/tool-scene.ts";
import { offByDefault, promisedFamilies } from "../support/tool-table.ts";
import { verifies } from "../support/verifies.ts";

interface Available {
  readonly total_tools: number;
  readonly enabled_tools: number;
  readonly tools: readonly {
    readonly name: string;
    readonly enabled: boolean;
    readonly operation_count: number;
  }[];
}

interface Listed {
  readonly count: number;
  readonly tools: readonly {
    readonly name: string;
    readonly inputSchema: {
      readonly properties: { readonly operation: { readonly enum: readonly string[] } };
    };
  }[];
}

describe("the official tools", () => {
  let stage: ToolStage;
  let present: ReadonlySet<string>;
  /** The families that are promised and there. */
  let shown: readonly (readonly [string, readonly string[]])[];
  before(async () => {
    stage = await openTools();
    present = new Set(stage.families.map(({ name }) => name));
    shown = Object.entries(promisedFamilies).filter(([name]) => present.has(name));
  });
  after(() => stage.end());

  const available = async () => (await stage.host.json<Available>("GET", "/debug/tools/available")).body;
  const listed = async () => (await stage.host.json<Listed>("GET", "/debug/mcp/tools")).body;

  verifies(
    ["debug:tools", "T19"],
    "are listed in their order, each with its operations to the unit, and the sums agree",
    async () => {
      const { tools, ...sums } = await available();
      expect(
        Object.fromEntries(
          (await listed()).tools.map((tool) => [tool.name, tool.inputSchema.properties.operation.enum]),
        ),
      ).to.deep.equal(Object.fromEntries(shown));
      expect(tools.map(({ name }) => name)).to.deep.equal(shown.map(([name]) => name));
      expect(tools.map((tool) => [tool.name, tool.operation_count])).to.deep.equal(
        shown.map(([name, all]) => [name, all.length]),
      );
      expect(tools.filter(({ enabled }) => !enabled)).to.deep.equal([]);
      expect(sums).to.include({ total_tools: shown.length, enabled_tools: shown.length });
    },
  );

  verifies("T19", "are 106 operations in 22 families when all are there", () => {
    expect([
      Object.keys(promisedFamilies).length,
      Object.values(promisedFamilies).flat().length,
    ]).to.deep.equal([22, 106]);
  });

  verifies(["debug:tools", "T19"], "are all there", () => {
    expect(Object.keys(promisedFamilies).filter((name) => !present.has(name))).to.deep.equal([]);
  });

  verifies(
    "policy:off-by-default",
    "are on until somebody says otherwise, but for those that reach far",
    async () => {
      const untouched = await openTools({ settings: { "tools.disabled": undefined as never } });
      const { tools } = (await untouched.host.json<Available>("GET", "/debug/tools/available")).body;
      await untouched.end();
      const off = tools.filter(({ enabled }) => !enabled).map(({ name }) => name);
      expect(off).to.have.members(offByDefault.filter((name) => present.has(name)));
    },
  );
});
