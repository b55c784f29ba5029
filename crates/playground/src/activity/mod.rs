//! Activities: the pages of the application in a frame of the page. Discord's part is its proxy, which shows the pages on a
//! host of their own; its answers to what the frame asks; and the instances, in which people see each other.

pub(crate) mod instances;
pub(crate) mod page;
pub(crate) mod proxy;
