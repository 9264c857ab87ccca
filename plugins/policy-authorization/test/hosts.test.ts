import { expect } from "chai";
import { hostsIn } from "../hosts.ts";

describe("hosts that a person names", () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    "look at https://docs.example.com/a?b=c, please": ["docs.example.com"],
    "compare example.org with www.example.net.": ["example.org", "www.example.net"],
    "the printer is at 10.0.0.7 or printer:631": ["10.0.0.7", "printer"],
    "http://localhost:8080/x and HTTP://EXAMPLE.COM": ["localhost", "example.com"],
    "read README.md, setup.sh and src/main.rs": [],
    "nothing here. Nor here": [],
    "see (https://example.com/a_(b))": ["example.com"],
    "café.example and пример.испытание": ["xn--caf-dma.example", "xn--e1afmkfd.xn--80akhbyknj4f"],
    "../up.example.com/x": [],
  };
  for (const [text, hosts] of Object.entries(cases))
    it(JSON.stringify(text), () => expect(hostsIn(text)).to.deep.equal(hosts));
});
