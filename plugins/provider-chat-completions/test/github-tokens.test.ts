import { expect } from "chai";
import { chatReply, jsonReply, type MockReply } from "@pergola/sdk/testing";
import { chatPath, device, github, never, tokenPath, Vendor } from "./github-vendor.ts";
import { ask, key } from "./support.ts";

describe("github-copilot", () => {
  let vendor: Vendor;
  beforeEach(async () => {
    vendor = await Vendor.start();
  });
  afterEach(() => vendor.server.close());

  describe("its tokens", () => {
    it("are made once for all who wait, and again before they end", async () => {
      const provider = await vendor.open({ github });
      await Promise.all([ask(provider), ask(provider), ask(provider)]);
      expect(vendor.tokens).to.equal(1);
      vendor.now += 1_499_000;
      await ask(provider);
      expect(vendor.tokens).to.equal(1);
      vendor.now += 2000;
      await Promise.all([ask(provider), ask(provider)]);
      expect(vendor.tokens).to.equal(2);
      expect(vendor.asked(chatPath).at(-1)?.headers).to.include({ authorization: "Bearer tid=canary-2" });
    });

    it("are not lost for the others when one of those who wait leaves", async () => {
      let answer = (): void => undefined;
      const until = new Promise<void>((resolve) => (answer = resolve));
      vendor.answers[tokenPath] = {
        ...jsonReply({}),
        body: [{ until }, JSON.stringify({ token: "tid=late", refresh_in: 1500 })],
      };
      const provider = await vendor.open({ github });
      const controller = new AbortController();
      const left = ask(provider, {}, controller.signal);
      const stays = ask(provider);
      await vendor.until(() => vendor.asked(tokenPath).length > 0);
      controller.abort(new Error("gone"));
      expect((await left).error).to.have.property("message", "gone");
      answer();
      expect((await stays).text).to.equal("Yes.");
    });

    it("are known after a restart, and the exchange without refresh_in ends with its token", async () => {
      vendor.answers[tokenPath] = jsonReply({ token: "tid=x", expires_at: 3000 });
      await ask(await vendor.open({ github }));
      expect(vendor.kept).to.deep.equal([{ github, service: "tid=x", renewAt: 2_700_000 }]);
      await ask(await vendor.open(vendor.kept[0]));
      expect(vendor.asked(tokenPath)).to.have.lengthOf(1);
    });

    it("are given up when the vendor refuses them, and another is made for the next call", async () => {
      const provider = await vendor.open({ github });
      vendor.answers[chatPath] = jsonReply(
        { error: { message: "token tid=canary-1 expired" } },
        { status: 401 },
      );
      const { error } = await ask(provider);
      expect(error).to.include({ code: "provider_auth_failed" });
      expect(vendor.kept.at(-1)).to.deep.equal({ github });
      vendor.answers[chatPath] = chatReply({ text: "Yes." });
      expect((await ask(provider)).text).to.equal("Yes.");
      expect(vendor.tokens).to.equal(2);
    });

    it("are all wiped when GitHub refuses the login, and a new login is asked for", async () => {
      vendor.answers[tokenPath] = jsonReply({ message: "Bad credentials" }, { status: 401 });
      const provider = await vendor.open({ github, service: "tid=old", renewAt: 5 });
      expect((await ask(provider)).error)
        .to.include({ code: "provider_auth_failed" })
        .and.to.have.property("message")
        .that.matches(/new login/);
      expect(vendor.kept).to.deep.equal([{}]);
      await ask(provider);
      expect(vendor.asked(tokenPath)).to.have.lengthOf(1);
    });

    for (const status of [403, 404]) {
      it(`are kept when GitHub has nothing for the account (${status})`, async () => {
        vendor.answers[tokenPath] = jsonReply({ message: "No access to Copilot" }, { status });
        const { error } = await ask(await vendor.open({ github }));
        expect(error)
          .to.include({ code: "provider_auth_failed" })
          .and.to.have.property("message")
          .that.includes("No access to Copilot");
        expect(vendor.kept).to.deep.equal([]);
      });
    }

    it("fail as a provider does when GitHub is down", async () => {
      vendor.answers[tokenPath] = jsonReply({}, { status: 503, headers: { "retry-after": "7" } });
      expect((await ask(await vendor.open({ github }))).error).to.include({
        code: "provider_error",
        retryAfter: 7,
      });
      vendor.answers[tokenPath] = jsonReply({ odd: "tid=secret-of-nobody" });
      const { error } = await ask(await vendor.open({ github }));
      expect(error)
        .to.include({ code: "provider_error" })
        .and.to.have.property("message")
        .that.does.not.include("tid=");
    });

    it("may be made of a token that the settings hold, which goes to GitHub only", async () => {
      expect((await ask(await vendor.open({}, { apiKey: key }))).text).to.equal("Yes.");
      expect(vendor.asked(tokenPath)[0]?.headers).to.include({ authorization: `token ${key}` });
      expect(JSON.stringify(vendor.asked(chatPath)[0]?.headers)).to.not.include(key);
      expect(vendor.kept.at(-1)).to.have.all.keys("service", "renewAt");
    });

    it("of an old login never replace those of a new one", async () => {
      let answer = (): void => undefined;
      const until = new Promise<void>((resolve) => (answer = resolve));
      const late = {
        ...jsonReply({}),
        body: [{ until }, JSON.stringify({ token: "tid=of-the-old-login", refresh_in: 1500 })],
      };
      const replies: MockReply[] = [late, jsonReply({ token: "tid=new", refresh_in: 1500 })];
      vendor.answers[tokenPath] = () => replies.shift() as MockReply;
      const provider = await vendor.open({ github: "gho_of-the-old-login" });
      const old = ask(provider);
      await vendor.until(() => vendor.asked(tokenPath).length > 0);
      await provider.login?.(never());
      await vendor.until(() => vendor.kept.length > 0);
      answer();
      await old;
      expect((await ask(provider)).text).to.equal("Yes.");
      expect(vendor.asked(chatPath).at(-1)?.headers).to.include({ authorization: "Bearer tid=new" });
      expect(JSON.stringify(vendor.kept)).to.not.include("old-login");
    });

    it("stand in no error and no log, whatever the other side echoes", async () => {
      const echo = jsonReply(
        { error: { message: `${github} tid=canary-1 ${device.device_code}` } },
        { status: 400 },
      );
      vendor.answers[chatPath] = echo;
      const provider = await vendor.open();
      await provider.login?.(never());
      await vendor.until(() => vendor.kept.length === 2);
      const { error } = await ask(provider);
      expect(error).to.include({ code: "provider_rejected" });
      expect(String(error) + JSON.stringify([error, vendor.logged])).to.not.match(/canary/);
    });

    it("that the vault held at the start stand in no error either", async () => {
      vendor.answers[chatPath] = jsonReply(
        { error: { message: `${github} tid=canary-kept` } },
        { status: 400 },
      );
      const { error } = await ask(
        await vendor.open({ github, service: "tid=canary-kept", renewAt: Number.MAX_SAFE_INTEGER }),
      );
      expect(error).to.include({ code: "provider_rejected" });
      expect(String(error)).to.not.match(/canary/);
    });

    it("cost no more to hide after many than after a few", async () => {
      const provider = await vendor.open({ github });
      for (let turn = 0; turn < 60; turn++) {
        vendor.now += 1_500_001;
        await ask(provider);
      }
      expect(vendor.tokens).to.equal(60);
      vendor.answers[chatPath] = jsonReply(
        { error: { message: `${github} tid=canary-60` } },
        { status: 400 },
      );
      const begun = performance.now();
      expect(String((await ask(provider)).error)).to.not.match(/canary/);
      expect(performance.now() - begun).to.be.below(500);
    });

    it("are asked for by name where nobody has logged in", async () => {
      const { error } = await ask(await vendor.open());
      expect(error)
        .to.include({ code: "provider_auth_failed" })
        .and.to.have.property("message")
        .that.includes("/login");
      expect(vendor.server.requests).to.deep.equal([]);
    });
  });
});
