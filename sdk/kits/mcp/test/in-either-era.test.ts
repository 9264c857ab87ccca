import * as protocol from "@modelcontextprotocol/client";
import { ToolError } from "@pergola/sdk";
import { expect } from "chai";
import { inEitherEra, type Mode } from "../index.ts";

const { SdkError, SdkErrorCode } = protocol;
const undecided = (cause?: unknown) =>
  new SdkError(SdkErrorCode.EraNegotiationFailed, "nobody knows", undefined, { cause });

describe("a connection to a server of either era", () => {
  /** The ways in which it was opened, where the first one fails. */
  async function waysAfter(failure: Error): Promise<readonly Mode[]> {
    const ways: Mode[] = [];
    const open = async (mode: Mode): Promise<void> => {
      ways.push(mode);
      if (mode === "auto") throw failure;
    };
    const error = await inEitherEra(protocol, open).catch((reason: unknown) => reason);
    if (error !== undefined) expect(error).to.equal(failure);
    return ways;
  }

  it("is opened again by the older handshake where nothing shows which it speaks", async () => {
    expect(await waysAfter(undecided())).to.deep.equal(["auto", "legacy"]);
    expect(await waysAfter(new Error("It ended.", { cause: undecided() }))).to.deep.equal(["auto", "legacy"]);
  });

  it("is not where the server has said something else, or asks for a sign-in", async () => {
    expect(await waysAfter(new Error("gone"))).to.deep.equal(["auto"]);
    const late = new SdkError(SdkErrorCode.RequestTimeout, "late");
    expect(await waysAfter(late)).to.deep.equal(["auto"]);
    expect(await waysAfter(undecided(new ToolError("unavailable", "Sign in.")))).to.deep.equal(["auto"]);
  });
});
