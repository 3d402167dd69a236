/** How many devices of an account can have a password. */
export const maxDevices = 20;

/** In UTF-16 code units. */
export const maxNameLength = 60;

/** Each is mailed and logged. */
export const createLimit = { name: "device passwords of an account", max: 20, windowMs: 3_600_000 };

/** Wrong passwords from one network. A device with an old password tries again and again. */
export const wrongPasswords = { name: "wrong passwords of devices", max: 30, windowMs: 15 * 60_000 };

/** How long the configuration profile of a new password can be downloaded. */
export const profileMs = 10 * 60_000;

export const davPaths = { home: "/dav/", principal: "/dav/principal/", book: "/dav/leads/" } as const;

export const bookName = "Meishi leads";
