import proseCss from "#app/ui/prose.css?url";

/** The stylesheet of pages to read, beside the one that all pages of the site have. */
export const proseLinks = [{ rel: "stylesheet", href: proseCss }];
