const names = ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];
const own = "localhost,127.0.0.1,::1";

/**
 * What programs read to find a proxy; a server that they start themselves they reach directly. `tunnel` are
 * the paths of Node and of the script that ssh connects by.
 */
export function proxyVariables(
  address: string,
  tunnel: readonly [node: string, script: string],
): Readonly<Record<string, string>> {
  const connect = tunnel.map((file) => `"${file}"`).join(" ");
  return {
    ...Object.fromEntries(names.map((name) => [name, address])),
    no_proxy: own,
    NO_PROXY: own,
    NODE_USE_ENV_PROXY: "1",
    // git takes these over every other configuration, an http.proxy of the person's too.
    GIT_CONFIG_PARAMETERS: `'http.proxy=${address}'`,
    GIT_SSH_COMMAND: `ssh -oBatchMode=yes -oProxyCommand='${connect} connect %h %p ${address}'`,
  };
}
