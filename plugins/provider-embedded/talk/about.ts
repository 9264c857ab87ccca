/** How to connect a language model. */
export const connectHelp = `I am the built-in guide, not a large language model.
There are three ways to connect one:

**With a key from the environment.** Set the provider's usual variable before Pergola starts:

\`\`\`sh
export OPENAI_API_KEY=…   # or ANTHROPIC_API_KEY, GEMINI_API_KEY, OPENROUTER_API_KEY, DEEPSEEK_API_KEY
\`\`\`

**On this computer, with Ollama or LM Studio.** Start it, load a model, and name it in the settings file
(\`pergola.config.yaml\`):

\`\`\`yaml
providers:
  list:
    - type: ollama      # http://127.0.0.1:11434
    - type: lmstudio    # http://127.0.0.1:1234
\`\`\`

**Any other service that speaks the chat completions format:**

\`\`\`yaml
providers:
  list:
    - type: custom
      name: My service
      base_url: https://models.example.org/v1
      api_key: { env: MY_SERVICE_KEY }
\`\`\`

Restart Pergola, look at the list of models (\`GET /api/models\`), and choose one: as \`model\` in the chat
request, or for good with the preference \`default_model\`.`;

/** Who is speaking. */
export const identity = [
  "I am the guide that is built into Pergola:",
  "word matching and a small sentence-embedding model, all on this computer.",
  "I am not a large language model. Told plainly, I use the tools that are switched on;",
  "I cannot chat freely, write texts or reason.",
  "Ask me “what can you do?” or “how do I connect a model?”.",
].join(" ");

/** Where the words go. */
export const privacy = [
  "I run inside Pergola on this computer and need no internet connection and no key.",
  "What you write to me is not sent anywhere.",
  "That changes only when you choose a model of a provider elsewhere,",
  "or a tool that fetches something from the network.",
].join(" ");
