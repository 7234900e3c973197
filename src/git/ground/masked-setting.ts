// Settings of git as they may be shown: without passwords and tokens.

/** Keys whose values are secrets, or may have one inside. */
const isSecret = (key: string): boolean =>
  /(?:^|\.)(?:url|pushurl|extraheader|proxy|password|token|cookie|secret|sslkey|insteadof|pushinsteadof)$|^credential\./i.test(
    key,
  );

export const maskedValue = (key: string, value: string): string => (isSecret(key) ? '***' : withoutUser(value));

/** A key may have an address inside: `url.https://user:secret@host.insteadof`. */
export const maskedKey = (key: string): string => withoutUser(key);

const withoutUser = (text: string): string => text.replace(/(\w:\/\/)[^/\s]*@/g, '$1***@');
