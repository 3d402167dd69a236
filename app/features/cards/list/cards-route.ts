import { redirect } from "react-router";

/** `/cards`, for those who type it: the list of cards is a section of the profile editor. */
export function loader() {
  return redirect("/profile#cards");
}
