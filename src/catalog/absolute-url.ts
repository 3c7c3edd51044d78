/** Media of our own are stored without the host they are served from. */
export function absoluteUrl(url: string | null, publicUrl: string): string | null {
  return url?.startsWith('/') ? publicUrl + url : url;
}
