/** What a model's thread is started with. */
export interface ModelThreadOptions {
  folder: string;
  threads: number;
}

export interface EmbedRequest {
  id: number;
  text: string;
}

export type EmbedReply = { id: number; vector: Float32Array<ArrayBuffer> } | { id: number; error: string };
