/** Mocha's root hooks: a promise that nobody handles fails the test run instead of passing unseen. */
process.on("unhandledRejection", (reason) => {
  throw reason;
});

export const mochaHooks = {};
