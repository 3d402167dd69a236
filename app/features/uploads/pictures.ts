import { avatarForms, bannerForms, fileUrl } from "./addresses.ts";

/** What a file picker offers for a picture; a phone turns its own formats into one of these. */
export const pictureTypes = "image/jpeg,image/png,image/webp";

/** The addresses of an avatar's files; undefined while there is none. */
export function avatarPicture(stem: string | null) {
  return stem === null ? undefined : addressesOf(stem, avatarForms);
}

/** The addresses of a banner's files; undefined while there is none. */
export function bannerPicture(stem: string | null) {
  return stem === null ? undefined : addressesOf(stem, bannerForms);
}

type Forms = { small: string; large: string; jpeg: string };

function addressesOf(stem: string, forms: Forms): Forms {
  return {
    small: fileUrl(stem, forms.small),
    large: fileUrl(stem, forms.large),
    jpeg: fileUrl(stem, forms.jpeg),
  };
}
