import { expect } from "chai";
import { jsonReply, type MockReply } from "@pergola/sdk/testing";
import { chatPath, device, github, never, pollPath, tokenPath, Vendor } from "./github-vendor.ts";
import { ask } from "./support.ts";

describe("github-copilot", () => {
  let vendor: Vendor;
  beforeEach(async () => {
    vendor = await Vendor.start();
  });
  afterEach(() => vendor.server.close());

  describe("a device login", () => {
    it("tells the code at once, waits for the person, exchanges what it got and keeps both", async () => {
      let asked = 0;
      vendor.answers[pollPath] = () =>
        jsonReply((asked += 1) < 3 ? { error: "authorization_pending" } : { access_token: github });
      const provider = await vendor.open();
      expect(await provider.login?.(never())).to.deep.equal({
        userCode: "ABCD-1234",
        verificationUri: "https://github.com/login/device",
        expiresIn: 900,
      });
      await vendor.until(() => vendor.kept.length === 2);
      expect(vendor.asked(pollPath)).to.have.lengthOf(3);
      expect(vendor.asked(pollPath)[0]?.body).to.deep.include({
        device_code: "canary-device-code",
        grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      });
      expect(vendor.kept).to.deep.equal([
        { github },
        { github, service: "tid=canary-1", renewAt: vendor.now + 1_500_000 },
      ]);
      expect((await ask(provider)).text).to.equal("Yes.");
      expect(vendor.asked(chatPath)[0]?.headers).to.include({ authorization: "Bearer tid=canary-1" });
      expect(vendor.asked(tokenPath)[0]?.headers).to.include({ authorization: `token ${github}` });
    });

    it("asks more slowly when it is told to, as slowly as it is told", async () => {
      const times: number[] = [];
      const says = [
        { error: "slow_down", interval: 0.06 },
        { error: "authorization_pending" },
        { access_token: github },
      ];
      vendor.answers[pollPath] = () => jsonReply(says[times.push(performance.now()) - 1]);
      await (await vendor.open()).login?.(never());
      await vendor.until(() => vendor.kept.length > 0);
      const [first = 0, second = 0, third = 0] = times;
      expect(Math.min(second - first, third - second)).to.be.at.least(55);
    });

    it("goes on through failures of GitHub and of the connection", async () => {
      const says: MockReply[] = [
        jsonReply({}, { status: 503 }),
        { body: [{ reset: true }] },
        { body: ["<html>"] },
        jsonReply({ access_token: github }),
      ];
      vendor.answers[pollPath] = () => says.shift() as MockReply;
      await (await vendor.open()).login?.(never());
      await vendor.until(() => vendor.kept.length > 0);
      expect(vendor.kept[0]).to.deep.equal({ github });
    });

    for (const [error, words] of Object.entries({
      access_denied: /refused/,
      expired_token: /in time/,
      incorrect_device_code: /incorrect_device_code/,
    })) {
      it(`ends with ${error}, and says so to who calls`, async () => {
        vendor.answers[pollPath] = jsonReply({ error });
        const provider = await vendor.open();
        await provider.login?.(never());
        await vendor.until(() => vendor.logged.length > 0);
        const failed = await ask(provider);
        expect(failed.error)
          .to.include({ code: "provider_auth_failed" })
          .and.to.have.property("message")
          .that.matches(words);
        expect([vendor.kept, vendor.asked(pollPath).length]).to.deep.equal([[], 1]);
      });
    }

    it("ends by itself when nobody enters the code", async () => {
      vendor.answers[pollPath] = () => {
        vendor.now += 500_000;
        return jsonReply({ error: "authorization_pending" });
      };
      const provider = await vendor.open();
      await provider.login?.(never());
      await vendor.until(() => vendor.logged.length > 0);
      expect(vendor.asked(pollPath)).to.have.lengthOf(2);
      expect((await ask(provider)).error)
        .to.have.property("message")
        .that.matches(/in time/);
    });

    it("is given up for a newer one, and when the provider is closed", async () => {
      vendor.answers[pollPath] = jsonReply({ error: "authorization_pending" });
      const provider = await vendor.open();
      await provider.login?.(never());
      vendor.answers["/login/device/code"] = jsonReply({ ...device, device_code: "second" });
      await provider.login?.(never());
      await vendor.until(
        () =>
          (vendor.asked(pollPath).at(-1)?.body as { device_code?: string } | undefined)?.device_code ===
          "second",
      );
      const before = vendor.asked(pollPath).length;
      await vendor.until(() => vendor.asked(pollPath).length > before + 3);
      const codes = vendor
        .asked(pollPath)
        .slice(before)
        .map(({ body }) => (body as { device_code: string }).device_code);
      expect([...new Set(codes)]).to.deep.equal(["second"]);
      await provider.close?.();
      await new Promise((resolve) => setTimeout(resolve, 20));
      const closed = vendor.asked(pollPath).length;
      await new Promise((resolve) => setTimeout(resolve, 30));
      expect(vendor.asked(pollPath).length).to.equal(closed);
    });

    it("fails where GitHub begins none", async () => {
      const failure = async (reply: MockReply) => {
        vendor.answers["/login/device/code"] = reply;
        return (await vendor.open()).login?.(never()).catch((error: unknown) => error);
      };
      expect(await failure(jsonReply({ message: "no" }, { status: 422 }))).to.include({
        code: "provider_rejected",
      });
      expect(await failure(jsonReply({ error: "device_flow_disabled" }))).to.include({
        code: "provider_error",
      });
      expect(await failure({ body: ["<html>"] })).to.include({ code: "provider_error" });
    });
  });
});
