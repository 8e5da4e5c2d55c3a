/** One message to a chat model. */
export interface ChatMessage {
  readonly role: "system" | "user";
  readonly content: string;
}

/** Any chat model. */
export interface ChatModel {
  /** Names the model in reports. */
  readonly id: string;
  /** What the model replies. */
  complete(messages: readonly ChatMessage[], options: { readonly signal?: AbortSignal | undefined }): Promise<string>;
}

/** The part of OpenAI's client (package `openai`) that is used; clients of compatible servers have it as well. */
export interface OpenAiClient {
  readonly chat: {
    readonly completions: {
      /** Its method for one reply. */
      create(
        body: { model: string; messages: { role: "system" | "user"; content: string }[]; temperature: number },
        options?: { signal?: AbortSignal },
      ): PromiseLike<{ choices: { message: { content: string | null } }[] }>;
    };
  };
}

/** A model behind OpenAI's interface, at temperature 0. */
export function openAiChat(client: OpenAiClient, model: string): ChatModel {
  return {
    id: model,
    async complete(messages, { signal }) {
      const body = { model, messages: messages.map((message) => ({ ...message })), temperature: 0 };
      const { choices } = await client.chat.completions.create(body, signal === undefined ? {} : { signal });
      return choices[0]?.message.content ?? "";
    },
  };
}
