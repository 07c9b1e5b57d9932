/** A pattern for `like` that matches the stored metadata of a link, whose page has no saved text. */
export const LINK_MARK = '%"content":"link"%';
