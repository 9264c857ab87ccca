import { expect } from "chai";
import { publicAddresses } from "../addresses.ts";

const special =
  `127.0.0.1 127.255.255.255 0.0.0.0 0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 100.100.100.200 169.254.169.254
  192.0.0.192 192.0.2.1 192.88.99.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 168.63.129.16
  :: ::1 ::ffff:127.0.0.1 ::ffff:7f00:1 0:0:0:0:0:ffff:7f00:1 ::127.0.0.1 ::7f00:1 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::1
  2002:7f00:1:: 2001:0:7f00:1:: 2001:db8::1 100::1 fc00::1 fd00:ec2::254 fe80::1 fec0::1 ff02::1 3fff::1 5f00::1 4000::1 ::ffff:168.63.129.16`.split(
    /\s+/,
  );

describe("addresses", () => {
  it("CVE-2026-26324: takes no special address for a public one, in any form", async () => {
    const isPublic = await publicAddresses();
    expect(special.filter((address) => isPublic(address))).to.deep.equal([]);
  });

  it("takes ordinary addresses for public ones", async () => {
    const isPublic = await publicAddresses();
    const ordinary = [
      "1.1.1.1",
      "8.8.8.8",
      "172.15.0.1",
      "172.32.0.1",
      "192.167.0.1",
      "2606:4700::1111",
      "2a00:1450:4001::200e",
      "::ffff:8.8.8.8",
    ];
    expect(ordinary.filter((address) => !isPublic(address))).to.deep.equal([]);
  });
});
