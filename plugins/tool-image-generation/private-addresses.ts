import { BlockList, isIPv6 } from "node:net";

const subnets = [
  ["127.0.0.0", 8, "ipv4"], // loopback, RFC 1122
  ["10.0.0.0", 8, "ipv4"], // private, RFC 1918
  ["172.16.0.0", 12, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["100.64.0.0", 10, "ipv4"], // shared, RFC 6598
  ["::1", 128, "ipv6"], // loopback, RFC 4291
  ["fc00::", 7, "ipv6"], // unique local, RFC 4193
  ["fe80::", 10, "ipv6"], // link-local, RFC 4291
] as const;

const list = new BlockList();
for (const [net, prefix, family] of subnets) list.addSubnet(net, prefix, family);

/** Whether an IP address belongs to this machine or a private network; IPv4 addresses inside IPv6 ones count as what they are. */
export const isPrivateAddress = (address: string): boolean => list.check(address, isIPv6(address) ? "ipv6" : "ipv4");
