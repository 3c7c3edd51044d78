/** Our own media are stored as paths, without a host. */
export function absoluteUrl(url: string | null, publicUrl: string): string | null {
  return url?.startsWith('/') ? publicUrl + url : url;
}
