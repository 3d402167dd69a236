/** A number of bytes as limits are told: 100000 -> "100 kB", 5242880 -> "5 MB". */
export function sizeWords(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.floor(bytes / 1_000)} kB` : `${Math.floor(bytes / 1_000_000)} MB`;
}
