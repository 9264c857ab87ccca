/** Where the programs of a sandbox find their proxy, on a loopback of their own. */
export const gatePort = 3128;

/**
 * The one program that is added to a sandbox with a network, plain JavaScript for any Node.
 *
 * - `listen <socket>`: passes the connections of the port on to the host's proxy, which has no other way in.
 *   Writes `ready` and ends its output once it listens; what is opened next takes the closed descriptor. It
 *   heeds no signal of a terminal.
 * - `connect <host> <port> <proxy>`: a tunnel through a proxy on standard input and output, as ssh asks of
 *   its ProxyCommand.
 */
export const gateScript = `"use strict";
const { closeSync, openSync, writeSync } = require("node:fs");
const { connect, createServer } = require("node:net");
const [, , mode, ...words] = process.argv;
const quiet = (stream) => stream.on("error", () => stream.destroy());

function listen(path) {
  for (const signal of ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTSTP", "SIGTTIN", "SIGTTOU"])
    process.on(signal, () => undefined);
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ path, allowHalfOpen: true });
    quiet(near).pipe(quiet(far)).pipe(near);
    near.once("close", () => far.destroy());
    far.once("close", () => near.destroy());
  });
  server.listen(${gatePort}, "127.0.0.1", () => {
    writeSync(1, "ready");
    closeSync(1);
    openSync("/dev/null", "w");
  });
}

function tunnel(host, port, address) {
  const proxy = new URL(address);
  const authority = host.includes(":") ? "[" + host + "]:" + port : host + ":" + port;
  const secret = Buffer.from(proxy.username + ":" + proxy.password).toString("base64");
  const lines = ["CONNECT " + authority + " HTTP/1.1", "Host: " + authority];
  if (proxy.password !== "") lines.push("Proxy-Authorization: Basic " + secret);
  const far = connect(proxy.port, "127.0.0.1", () => far.write(lines.join("\\r\\n") + "\\r\\n\\r\\n"));
  let head = Buffer.alloc(0);
  const take = (piece) => {
    head = Buffer.concat([head, piece]);
    const end = head.indexOf("\\r\\n\\r\\n");
    if (end < 0 && head.length < 16384) return;
    far.removeListener("data", take);
    if (!/^HTTP\\/1\\.[01] 200 /.test(head.toString("latin1"))) {
      process.stderr.write(head.subarray(end + 4).toString("utf8"));
      process.exit(1);
    }
    process.stdout.write(head.subarray(end + 4));
    far.pipe(process.stdout);
    process.stdin.pipe(far);
  };
  far.on("data", take).once("error", () => process.exit(1)).once("close", () => process.exit(0));
}

if (mode === "listen") listen(words[0]);
else tunnel(words[0], words[1], words[2]);
`;
