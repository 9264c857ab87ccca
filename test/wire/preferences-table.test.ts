import type { Json } from "@pergola/sdk";
import type { TestHost } from "@pergola/sdk/testing";
import { expect } from "chai";
import { officialPlugins } from "../support/host.ts";
import {
  described,
  doorkeeper,
  openPlain,
  patch,
  shown,
  type Described,
} from "../support/preference-stage.ts";
import { preferenceTable, type PreferenceRow } from "../support/preference-table.ts";
import { verifies } from "../support/verifies.ts";

const flagsOf = (entry: Described): string =>
  [entry.secret ? "S" : "", entry.protected ? "P" : "", entry.restart ? "R" : ""].filter(Boolean).join(" ");

describe("every preference", () => {
  let host: TestHost;
  let schema: ReadonlyMap<string, Described>;
  before(async () => {
    host = await openPlain({ plugins: [...officialPlugins(), doorkeeper] });
    schema = new Map((await described(host)).map((entry) => [entry.key, entry]));
  });
  after(() => host.stop());

  const valueOf = async (key: string): Promise<Json | undefined> => (await shown(host)).preferences[key];
  /** What GET shows of a value. */
  const shownAs = ({ flags }: PreferenceRow, value: Json): Json =>
    flags.includes("S") ? { set: true } : value;

  verifies(["preferences:list", "R13"], "is described with a default, flags, and words of its own", () => {
    const listed = [...schema.values()];
    expect(listed.filter(({ description }) => description === "").map(({ key }) => key)).to.deep.equal([]);
    expect(
      preferenceTable.map(({ key }) => [
        key,
        schema.get(key)?.default,
        schema.get(key) && flagsOf(schema.get(key)!),
      ]),
    ).to.deep.equal(preferenceTable.map(({ key, default: usual, flags }) => [key, usual, flags]));
  });

  for (const row of preferenceTable) {
    const { key, good, bad, beside = {} } = row;
    verifies(
      ["preferences:patch", "preferences:refused"],
      `${key} takes a good value, refuses others, and goes back`,
      async () => {
        const usual = await valueOf(key);
        if (Object.keys(beside).length > 0) await patch(host, beside);
        const { status, body } = await patch(host, { [key]: good });
        expect([status, body.error?.message], key).to.deep.equal([200, undefined]);
        expect(body).to.deep.equal({
          success: true,
          preferences: { [key]: shownAs(row, good) },
          restartRequired: row.flags.includes("R") ? [key] : [],
        });
        const set = await valueOf(key);
        expect(set).to.deep.equal(shownAs(row, good));
        for (const [value, code] of bad) {
          const { status: refused, body: told } = await patch(host, { [key]: value });
          expect([refused, told.error?.code], `${key}: ${JSON.stringify(value)}`).to.deep.equal([400, code]);
          expect(told.error?.message).to.include(key);
          expect(told.error?.param).to.equal(key);
        }
        expect(await valueOf(key)).to.deep.equal(set);
        const back = await patch(host, { [key]: null });
        expect([back.status, back.body.preferences[key], back.body.restartRequired]).to.deep.equal([
          200,
          usual,
          [],
        ]);
        expect(await valueOf(key)).to.deep.equal(usual);
        const reset = Object.keys(beside).map((one) => [one, null]);
        if (reset.length > 0) await patch(host, Object.fromEntries(reset) as Record<string, Json>);
      },
    );
  }
});
