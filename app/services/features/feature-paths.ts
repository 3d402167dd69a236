/** The paths of a feature that other parts of the program need to know. Data only: the routes of other features may read it. */
export type FeaturePaths = {
  /**
   * Pages that are the same for every visitor, such as "/u/:id". Their finished pages are stored in the database, if a parameter has only
   * letters, digits, "-" and "_".
   */
  publicPages?: readonly string[];
  /** Paths, with all below them, that exist for operators only. For everyone else they are like any unknown path. */
  operatorPages?: readonly string[];
  /**
   * Addresses, with all below them, that work for anyone who knows them: "/shared/:token". Parts that begin with a colon are secret, and
   * not logged.
   */
  secretPaths?: readonly string[];
  offline?: OfflinePaths;
  /**
   * Paths, with all below them, that work in a browser that was handed over to visitors. All others lead to `page`, which says what the
   * browser shows.
   */
  handedOver?: { page: string; open: readonly string[] };
};

/** What the service worker does with requests of a signed-in user. A write anywhere else makes it refresh the offline page. */
export type OfflinePaths = {
  /** The owner's pages, answered with the offline page when they can't be reached: "/profile", or "/cards/*" for pages below. */
  pages?: readonly string[];
  /** Writes that don't change what the offline page shows. */
  ignoredWrites?: readonly string[];
  /** Paths, with all that start with them, that sign a user in, in any browser that opens them. */
  signIn?: readonly string[];
  /** Paths, with all that start with them, that sign a user out when they are posted to: "/auth/sign-out", or "/cards/*" for any below. */
  signOut?: readonly string[];
};
