/** What is particular to Spring Boot 3. */
@NullMarked
package io.lockkeeper.spring.boot3;

import org.jspecify.annotations.NullMarked;
