import { maxLinks } from "./rules.ts";

export const messages = {
  nameRequired: "Link name is required",
  nameTooLong: "Use at most 60 characters for the name.",
  invalidUrl: "Invalid URL",
  tooMany: `You can add a maximum of ${maxLinks} links.`,
  unreadable: "The links could not be read.",
  unreadableDate: "This date could not be read: choose it again.",
  dateFarOff: "Choose a date between the years 2000 and 2099.",
  endsBeforeStart: "The end must come after the start: until then nobody would see the link.",
  tabIsPremium: "Moving a link to the other tab comes with Premium.",
  tabRule:
    "Visitors find your links on two tabs. Those to LinkedIn, GitHub and GitLab, and those with Portfolio or Resume in their name, are on Professional; all others on Personal.",
  tabsAreYours: "Open a link to put it on the other one.",
  confirmRemove: "Are you sure you want to remove this link?",
};
