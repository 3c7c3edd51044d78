/** Keyed hashes of the IP address and the device that a request comes from. */
export type OriginHashes = { address: Buffer; device: Buffer | null };

export type Recognition = {
  /** Whether the phone belongs to a principal. */
  isRegistered: boolean;
  /** Whether its owner recently used a session from this IP address or on this device. */
  isKnown: boolean;
};
