/** 128 random bits as 32 hexadecimal digits. Not `randomUUID`, which browsers offer to secure pages only. */
export function newToken(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
