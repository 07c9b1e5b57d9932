/** Like this are the stored metadata of a link, of whose page no text is saved. */
export const LINK_MARK = '%"content":"link"%';
